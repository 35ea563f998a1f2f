import { Command, type OptionValues } from 'commander';
import { bulkRetryOptions, startBulkRetry, withBulkRetryOptions } from './shared/bulk-retry-start.js';
import { correctionsIn, withCorrections } from './shared/corrections.js';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

type Options = JsonOption & { all?: true; attempt?: string; reason?: string; set?: string[] };

/** `durable-payments payout retry <partner_code>` and `payout retry --all` */
export function payoutRetryCommand(): Command {
  const command = new Command('retry')
    .description('Pay a failed payout again, perhaps with corrected payee data; or thousands that failed.')
    .argument('[partner_code]')
    .option('--attempt <n>', 'the number of the failed attempt: refused when it is not the latest')
    .option('--reason <text>', 'kept in the timeline; required: money moves')
    .option('--all', 'retry failed payouts by the thousand: a canary first, then the others at a set rate')
    .addOption(jsonOption());
  return withBulkRetryOptions(withCorrections(command)).action(
    async (partnerCode: string | undefined, options: Options) => {
      if ((partnerCode === undefined) !== (options.all === true)) {
        throw new UsageError('Name either one partner_code or --all. Nothing was sent.');
      }
      if (partnerCode === undefined) await retryAll(options);
      else await retryOne(partnerCode, options);
    },
  );
}

async function retryOne(partnerCode: string, options: Options & OptionValues): Promise<void> {
  const foreign = bulkRetryOptions.find(({ key }) => options[key] !== undefined);
  if (foreign !== undefined) throw new UsageError(`${foreign.flag} is for --all. Nothing was sent.`);
  const { reason } = options;
  if (reason === undefined) throw new UsageError('Give --reason: money moves. Nothing was sent.');
  const corrections = correctionsIn(options.set);
  const state = await withPayments((payments) =>
    payments.payout(partnerCode).retry({
      ...operator(reason),
      ...(options.attempt === undefined ? {} : { attempt: Number(options.attempt) }),
      ...(corrections === undefined ? {} : { corrections }),
    }),
  );
  print(state, options, stateText);
}

async function retryAll(options: Options): Promise<void> {
  if (options.set !== undefined || options.attempt !== undefined) {
    throw new UsageError('--set and --attempt are for one payout, not for --all. Nothing was sent.');
  }
  process.exitCode = await startBulkRetry(options);
}
