import { bug } from './bug.mjs';

/** Found by the exploration, which plays short sequences; not by so many simulated payments. */
const byExploration = null;
const payoutCommands = 'workflows/payout/commands.ts';
const readings = 'src/domain/payout-readings.ts';
const secured = 'workflows/three-d-secure-order.ts';

/** What reviews and the exploration have found, put back. */
export const bugsThatWereFound = [
  bug(
    'payout',
    byExploration,
    readings,
    'a list that lags outweighs a read that was made just now',
    "const mayLag = wasReadNow && attempt.status !== 'error';",
    'const mayLag = false;',
  ),
  bug(
    'payout',
    byExploration,
    payoutCommands,
    'nothing has happened to an identifier that a read shows',
    '    await refuseFound(ctx, payment);\n',
    '',
  ),
  bug(
    'payout',
    byExploration,
    readings,
    'nothing has happened to what the list shows',
    '    attempt.listed = true;\n',
    '',
  ),
  bug(
    'payout',
    byExploration,
    readings,
    'after a reset movement that a read shows does not count',
    'read.filter((each) => !failures.includes(each))',
    'payout.owesScan ? [] : read.filter((each) => !failures.includes(each))',
  ),
  bug(
    'payout',
    byExploration,
    readings,
    'a read that shows a failure outweighs a list that shows movement',
    'isListedMoving(attempt) ? { ...shown, status: attempt.status } : shown',
    'shown',
  ),
  bug(
    'payout',
    byExploration,
    'src/domain/payout-attempts.ts',
    'what was given up is shown as abandoned while it moves',
    "if (abandoned && attempts.every(provenFailed)) return 'abandoned';",
    "if (abandoned && shown.status !== 'done') return 'abandoned';",
  ),
  bug(
    'payout',
    byExploration,
    'src/domain/attention.ts',
    'an acknowledgement ends whatever is shown by then',
    '  if (seen !== attention) {',
    '  if (seen === undefined) {',
  ),
  bug(
    'payout',
    byExploration,
    'workflows/payout/watch.ts',
    'at the end of a watch a payout is read without end',
    'closesUnread(payment) ? ends : payment.reads.onceDueAt(ends)',
    'ends',
  ),
  bug(
    'refund',
    byExploration,
    'workflows/refund/payment.ts',
    'after a reset a refund that was refused is requested again at once',
    "this.#forgetWhatCame(['to_send', 'refused', 'failed', 'decided'], false);",
    "this.#forgetWhatCame(['to_send', 'decided'], false);",
  ),
  bug(
    'refund',
    byExploration,
    'workflows/refund/commands.ts',
    'after a reset a refund that is cancelled counts as unsent',
    ' || ctx.run.afterReset) {',
    ') {',
  ),
  bug(
    'refund',
    byExploration,
    'src/domain/refund-stages.ts',
    'an order is refunded whose status is not known',
    '  return shown === null || isServiceOrderStatus(shown) || isRefundUnderWay(shown)\n    ? null',
    '  return shown !== null\n    ? null',
  ),
  bug(
    'card_order',
    byExploration,
    'src/domain/candidates.ts',
    'an order that a postback names is looked for once',
    'if (misses >= mostMisses) return',
    'if (misses >= 0) return',
  ),
  bug(
    'three_d_secure_order',
    byExploration,
    secured,
    'a completion that was put off is sent without a read',
    '  if (!payment.data.completion.putOff) return true;',
    '  if (payment.stage !== undefined) return true;',
  ),
  bug(
    'three_d_secure_order',
    byExploration,
    secured,
    'a completion is begun again while a read shows that the order has moved',
    'payment.data.completion.sentBefore && !(await readAndSettle(ctx, payment))',
    'payment.data.completion.sentBefore && !(await readOrder(ctx, payment))',
  ),
  bug(
    'refund',
    byExploration,
    'src/domain/refund-stages.ts',
    'a failure that may be that of an earlier request lets a further one go',
    ' || (isAnswered && mayShowEarlier);',
    ';',
  ),
  ...['payout', 'card_order', 'refund'].flatMap((kind) => [
    bug(
      kind,
      5_000,
      'src/domain/read-schedule.ts',
      'a read that failed leaves its due time in the past',
      'const at = now + Math.min(byCadenceMs, rereadMs) * scale;',
      'const at = (unreadableSince ?? now) + Math.min(byCadenceMs, rereadMs) * scale;',
    ),
    bug(
      kind,
      5_000,
      'src/domain/cadence.ts',
      'a read that failed is made again without backoff',
      'Math.min(Math.max(failingMs / 2, 5 * minute), 6 * hour)',
      'Math.min(failingMs / 2, 5_000)',
    ),
  ]),
];
