import cliProgress from 'cli-progress';
import { CommandRefusedError, PaymentNotFoundError, TemporalUnavailableError } from '../../client.js';
import type { PaymentListing, PaymentsClient } from '../../client.js';
import { exitCodes } from './exit.js';
import { print } from './output.js';
import type { JsonOption } from './output.js';
import { operator } from './payments.js';
import { listingTable, table } from './tables.js';

const atOnce = 8;
const pageSize = 200;

type Outcome = { readonly partner_code: string; readonly outcome: string; readonly detail: string };

/**
 * Retries each payout that needs a person because it failed; without `yes` only shows which they are. Each retry
 * is checked by its payout against fresh reads, so one that moves already refuses.
 *
 * @returns the exit code
 */
export async function retryAll(
  payments: PaymentsClient,
  options: JsonOption & { readonly yes?: true; readonly reason?: string },
): Promise<number> {
  const failed = await allFailed(payments);
  if (options.yes !== true) {
    print({ dry_run: true, payouts: failed }, options, () =>
      failed.length === 0
        ? 'No payout has failed.'
        : `${listingTable(failed)}\n${String(failed.length)} payouts would be retried. Add --yes to do it.`,
    );
    return exitCodes.done;
  }
  const outcomes = await retryInTurn(payments, failed, options.reason);
  print({ dry_run: false, outcomes }, options, () => summary(outcomes));
  if (outcomes.some(({ outcome }) => outcome === 'TemporalUnavailable')) return exitCodes.unavailable;
  if (outcomes.some(({ outcome }) => outcome === 'Failed')) return exitCodes.failed;
  return outcomes.every(({ outcome }) => outcome === 'retried') ? exitCodes.done : exitCodes.refused;
}

async function allFailed(payments: PaymentsClient): Promise<PaymentListing[]> {
  const found: PaymentListing[] = [];
  let cursor: string | null = null;
  do {
    const page = await payments.list({
      kinds: ['payout'],
      attention: 'payout_failed',
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...page.payments.filter(({ closed }) => !closed));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

async function retryInTurn(
  payments: PaymentsClient,
  failed: readonly PaymentListing[],
  reason: string | undefined,
): Promise<Outcome[]> {
  const bar = process.stderr.isTTY
    ? new cliProgress.SingleBar(
        { format: '{bar} {value}/{total} payouts' },
        cliProgress.Presets.shades_classic,
      )
    : null;
  bar?.start(failed.length, 0);
  const waiting = [...failed];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      outcomes.push(await retryOne(payments, next.partner_code ?? '', reason));
      bar?.increment();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  bar?.stop();
  return outcomes;
}

async function retryOne(
  payments: PaymentsClient,
  code: string,
  reason: string | undefined,
): Promise<Outcome> {
  try {
    const state = await payments.payout(code).retry(operator(reason));
    return { partner_code: code, outcome: 'retried', detail: `attempt ${String(state.attempts.length)}` };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { partner_code: code, outcome: nameOf(error), detail };
  }
}

function nameOf(error: unknown): string {
  if (error instanceof CommandRefusedError) return error.reason;
  if (error instanceof PaymentNotFoundError) return 'NotFound';
  return error instanceof TemporalUnavailableError ? 'TemporalUnavailable' : 'Failed';
}

function summary(outcomes: readonly Outcome[]): string {
  const kinds = [...new Set(outcomes.map(({ outcome }) => outcome))].sort();
  const others = outcomes.filter(({ outcome }) => outcome !== 'retried');
  const counts = table(
    ['outcome', 'payouts'],
    kinds.map((kind) => [kind, String(outcomes.filter(({ outcome }) => outcome === kind).length)]),
  );
  if (outcomes.length === 0) return 'No payout has failed.';
  if (others.length === 0) return counts;
  const rows = others.map(({ partner_code: code, outcome, detail }) => [code, outcome, detail]);
  return `${counts}\n${table(['partner_code', 'outcome', 'why'], rows)}`;
}
