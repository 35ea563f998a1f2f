import type { PaymentsClient } from '../../client.js';
import {
  CommandPendingError,
  CommandRefusedError,
  PaymentNotFoundError,
  TemporalUnavailableError,
} from '../../client.js';
import { formatAmount, toCentavos } from '../../domain/money.js';
import { columns } from './columns.js';
import { exitCodes } from './exit-codes.js';
import { findingsIn, type Finding } from './findings.js';
import { print } from './output.js';
import type { JsonOption } from './output.js';
import { operator, withPayments } from './payments.js';
import { contentOf } from './request-file.js';
import { amount } from './tables.js';

/** The outcome of one finding: `to_resolve` in a dry run alone. */
type Outcome = 'resolved' | 'to_resolve' | 'known_already' | 'refused' | 'taken' | 'unavailable';

type Line = {
  readonly partner_code: string;
  readonly value: number | null;
  readonly found: string;
  readonly outcome: Outcome;
  readonly detail: string | null;
};

export type FileOptions = JsonOption & { file: string; reason: string; dryRun?: true };

/** Resolves the payouts of a file one after the other; each stands for itself. Answers the exit code. */
export async function resolveFromFile({ dryRun, file, reason, ...options }: FileOptions): Promise<number> {
  const findings = await findingsIn(await contentOf(file));
  const lines = await withPayments(async (payments) => {
    const done: Line[] = [];
    for (const finding of findings) done.push(await applied(payments, finding, reason, dryRun === true));
    return done;
  });
  print(lines, options, text);
  const outcomes = new Set(lines.map(({ outcome }) => outcome));
  if (outcomes.has('unavailable')) return exitCodes.unavailable;
  return outcomes.has('refused') ? exitCodes.refused : exitCodes.done;
}

async function applied(
  payments: PaymentsClient,
  finding: Finding,
  reason: string,
  isDryRun: boolean,
): Promise<Line> {
  const payout = payments.payout(finding.partnerCode);
  const found = 'service_id' in finding.found ? finding.found.service_id : 'nothing happened';
  let value: number | null = null;
  const line = (outcome: Outcome, detail: string | null = null): Line => {
    return { partner_code: finding.partnerCode, value, found, outcome, detail };
  };
  try {
    const state = await payout.state();
    ({ value } = state);
    const latest = state.attempts.at(-1)?.partner_code;
    if (finding.sentAs !== null && finding.sentAs !== latest) {
      return line(
        'refused',
        `The latest attempt is ${String(latest)}, not ${finding.sentAs}. Nothing was changed.`,
      );
    }
    if (state.status !== 'submission_unknown') return line('known_already', `It is ${state.status}.`);
    if (isDryRun) return line('to_resolve');
    const { status } = await payout.resolve({ ...operator(reason), ...finding.found });
    return line('resolved', `It is ${status}.`);
  } catch (error) {
    if (error instanceof CommandPendingError) return line('taken', error.message);
    if (error instanceof CommandRefusedError || error instanceof PaymentNotFoundError) {
      return line('refused', error.message);
    }
    if (error instanceof TemporalUnavailableError) return line('unavailable', error.message);
    throw error;
  }
}

const meanings: Record<Outcome, string> = {
  resolved: 'resolved',
  to_resolve: 'would be resolved',
  known_already: 'known already: left as they are',
  refused: 'refused: nothing was changed',
  taken: 'taken, and executed or refused later: see their states',
  unavailable: 'not answered: repeat the command with the same file',
};

function text(lines: readonly Line[]): string {
  if (lines.length === 0) return 'The file says of no payout what was found out. Nothing was changed.';
  const counts = (Object.keys(meanings) as Outcome[]).flatMap((outcome) => {
    const some = lines.filter((each) => each.outcome === outcome);
    const centavos = some.reduce((sum, { value }) => sum + (toCentavos(value ?? 0) ?? 0), 0);
    return some.length === 0
      ? []
      : [`${String(some.length)} ${meanings[outcome]} (${formatAmount(centavos)})`];
  });
  const rows = lines.map(({ partner_code, value, found, outcome, detail }) => [
    ...[partner_code, amount(value), found, outcome],
    detail ?? '',
  ]);
  return [columns(['partner_code', 'value', 'found', 'outcome', ''], rows), '', ...counts].join('\n');
}
