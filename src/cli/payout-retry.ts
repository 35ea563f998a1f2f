import { Command } from 'commander';
import { correctionsIn, withCorrections } from './shared/corrections.js';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';
import { retryAll } from './shared/retry-all.js';
import { stateText } from './shared/tables.js';

type Options = JsonOption & { all?: true; yes?: true; attempt?: string; reason?: string; set?: string[] };

/** `durable-payments payout retry <partner_code>` and `payout retry --all` */
export function payoutRetryCommand(): Command {
  const command = new Command('retry')
    .description('Pay a failed payout again, perhaps with corrected payee data; or all that have failed.')
    .argument('[partner_code]')
    .option('--attempt <n>', 'the number of the failed attempt: refused when it is not the latest')
    .option('--reason <text>', "kept in the payment's timeline")
    .option('--all', 'retry each payout that needs a person because it failed; only lists them without --yes')
    .option('--yes', 'with --all: do it')
    .addOption(jsonOption());
  return withCorrections(command).action(async (partnerCode: string | undefined, options: Options) => {
    if ((partnerCode === undefined) !== (options.all === true)) {
      throw new UsageError('Name either one partner_code or --all. Nothing was sent.');
    }
    if (partnerCode === undefined) return retryEach(options);
    const corrections = correctionsIn(options.set);
    const state = await withPayments((payments) =>
      payments.payout(partnerCode).retry({
        ...operator(options.reason),
        ...(options.attempt === undefined ? {} : { attempt: Number(options.attempt) }),
        ...(corrections === undefined ? {} : { corrections }),
      }),
    );
    print(state, options, stateText);
  });
}

async function retryEach(options: Options): Promise<void> {
  if (options.set !== undefined || options.attempt !== undefined) {
    throw new UsageError('--set and --attempt are for one payout, not for --all. Nothing was sent.');
  }
  process.exitCode = await withPayments((payments) => retryAll(payments, options));
}
