import { basename, extname } from 'node:path';
import { Command, Option } from 'commander';
import { batchFromJson, withHead } from '../client/batch-json.js';
import { batchFormats, rowsOf, type BatchFormat } from '../client/batch-rows.js';
import type { PayoutBatchState } from '../client.js';
import { batchIdProblem } from '../domain/ids.js';
import { batchText, exitCodeOf, untilFinished } from './shared/batches.js';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { contentOf } from './shared/request-file.js';

type Options = JsonOption & { batchId?: string; format?: BatchFormat; rate?: number; wait: boolean };

/** `durable-payments batch start <file>` */
export function batchStartCommand(): Command {
  return new Command('start')
    .description('Start the payouts of a file, each once; sent again, it goes on where it ended.')
    .argument('<file>', 'JSON as of POST /v1/payout-batches, JSON Lines or CSV; - reads standard input')
    .option(
      '--batch-id <id>',
      'its idempotency key; for JSON Lines and CSV the name of the file unless given',
    )
    .addOption(new Option('--format <format>', 'by the name of the file unless given').choices(batchFormats))
    .option('--rate <n>', 'start at most so many a second (25 unless given)', Number)
    .option('--no-wait', "don't wait until all are started")
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nEvery row is checked before the first is started. Interrupted, what was taken goes on without this command.',
    )
    .action(async (file: string, { wait, ...options }: Options) => {
      const request = await requestIn(await contentOf(file), file, options);
      const state = await withPayments(async (payments): Promise<PayoutBatchState> => {
        const { state: taken } = await payments.startPayoutBatch(request);
        return wait ? untilFinished(() => payments.payoutBatch(taken.batch_id), taken) : taken;
      });
      print(state, options, batchText);
      process.exitCode = exitCodeOf(state);
    });
}

async function requestIn(
  content: string,
  file: string,
  { batchId, format, rate }: Omit<Options, 'wait'>,
): Promise<unknown> {
  const used = format ?? formatOf(file);
  const options = {
    ...(batchId === undefined ? {} : { batch_id: batchId }),
    ...(rate === undefined ? {} : { starts_per_second: rate }),
  };
  if (used === 'json') return withHead(await batchFromJson([content]), options);
  const batch_id = batchId ?? basename(file, extname(file));
  if (batchIdProblem(batch_id) !== undefined && batchId === undefined)
    throw new UsageError('Give --batch-id: the name of the file can not be one. Nothing was started.');
  return { ...options, batch_id, payouts: await rowsOf(used, [content]) };
}

const formats: Readonly<Record<string, BatchFormat>> = {
  ...{ '.json': 'json', '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' },
  // As on standard input.
  '': 'json',
};

function formatOf(file: string): BatchFormat {
  const format = formats[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(
    'The name of the file does not show its format: give --format, or save a table as CSV. Nothing was started.',
  );
}
