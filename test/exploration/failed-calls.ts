import type { CreationOutcome } from '../../src/domain/submission.js';

const outcomes: Readonly<Record<string, CreationOutcome>> = {
  'card gone': { outcome: 'card_gone', reason: 'The card is not here.' },
  'not sent': { outcome: 'not_sent', reason: 'The connection was refused.' },
  throttled: { outcome: 'throttled', reason: '429', retry_after_ms: 3_600_000 },
  refused: { outcome: 'refused', reason: '422', http_status: 422 },
  unknown: { outcome: 'unknown', reason: 'The connection broke.' },
};

/** What a creating call comes to by a way on which the service answers nothing of use, whatever it has done. */
export function failedBy(way: string): CreationOutcome {
  const outcome = outcomes[way.replace(/,.*/, '')];
  if (outcome === undefined) throw new Error(`No call fails as ${way}.`);
  return outcome;
}

/** The activity sees that its run came about by a reset. */
export const inResetRun: CreationOutcome = {
  ...{ outcome: 'unknown', reason: 'This run is a reset.', dispatched_before: true },
};
