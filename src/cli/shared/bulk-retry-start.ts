import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { bulkRetryBody } from '../../contract/bulk-retry.js';
import { fieldProblems } from '../../contract/problems.js';
import { failureCauses } from '../../domain/payout-attempts.js';
import { bulkRetryText, exitCodeOf, followBulkRetry } from './bulk-retries.js';
import { UsageError } from './exit.js';
import { print } from './output.js';
import type { JsonOption } from './output.js';
import { operatorName, withPayments } from './payments.js';

/** What `payout retry --all` takes beyond the options for one payout. */
export type BulkRetryOptions = JsonOption & {
  reason?: string;
  id?: string;
  cause?: string[];
  method?: string;
  batch?: string;
  owner?: string;
  failedAfter?: string;
  failedBefore?: string;
  valueFrom?: string;
  valueTo?: string;
  code?: string[];
  dryRun?: true;
  canary?: string;
  perSecond?: string;
  stopAtFailureShare?: string;
  follow?: true;
};

/** Each option, and the field of the request that it fills. */
export const bulkRetryOptions = [
  option('id', '--id <bulk_retry_id>', 'its idempotency key; made up unless given', 'bulk_retry_id'),
  option('cause', '--cause <cause...>', `of ${failureCauses.join(', ')}; errors of the service unless given`),
  option('method', '--method <method>', 'pix or transfer'),
  option('batch', '--batch <batch_id>', 'of this batch', 'batch_id'),
  option('owner', '--owner <key>', 'started by the API key of this name'),
  option('failedAfter', '--failed-after <time>', 'ISO 8601; the last 7 days unless given', 'failed_after'),
  option('failedBefore', '--failed-before <time>', 'ISO 8601', 'failed_before'),
  option('valueFrom', '--value-from <reais>', 'at least so much', 'value_from'),
  option('valueTo', '--value-to <reais>', 'at most so much', 'value_to'),
  option('code', '--code <partner_code...>', 'only these', 'partner_codes'),
  option('dryRun', '--dry-run', 'only select and count them by cause', 'dry_run'),
  option('canary', '--canary <n>', 'so many first, and wait for them (10 unless given)'),
  option('perSecond', '--per-second <n>', 'so many a second (5 unless given)', 'per_second'),
  option(
    'stopAtFailureShare',
    '--stop-at-failure-share <share>',
    'stop when more than this share fails again (0.2)',
    'stop_at_failure_share',
  ),
  option('follow', '--follow', 'stay and show how far it is; Ctrl-C leaves it running'),
] as const;

function option(key: keyof BulkRetryOptions, usage: string, help: string, field: string = key) {
  return { key, usage, flag: usage.split(' ')[0] ?? usage, help, field };
}

/** Adds the options of a bulk retry to `payout retry`; their help says that they need `--all`. */
export function withBulkRetryOptions(command: Command): Command {
  for (const { help, usage } of bulkRetryOptions) {
    command.addOption(new Option(usage, `with --all: ${help}`));
  }
  return command;
}

/** Starts a bulk retry; with `follow`, or for a dry run, waits for its end. Answers the exit code. */
export async function startBulkRetry(options: BulkRetryOptions): Promise<number> {
  if (options.reason === undefined) {
    throw new UsageError('Give --reason: it is kept in the timeline of each payout. Nothing was sent.');
  }
  const request = requestOf(options, options.reason);
  return withPayments(async (payments) => {
    const { state: initial } = await payments.startBulkRetry({ ...request, by: operatorName() });
    const id = initial.bulk_retry_id;
    if (options.json !== true)
      console.error(`Bulk retry ${id} is started. Look again:\n  durable-payments bulk-retry show ${id}`);
    if (options.follow !== true && options.dryRun !== true) {
      print(initial, options, bulkRetryText);
      return exitCodeOf(initial);
    }
    return followBulkRetry(payments.bulkRetry(id), options);
  });
}

/** @throws UsageError naming the option at fault */
function requestOf(options: BulkRetryOptions, reason: string) {
  const { batch, canary, cause, code, dryRun, failedAfter, failedBefore, id } = options;
  const { method, owner, perSecond, stopAtFailureShare, valueFrom, valueTo } = options;
  const filter = given({
    cause,
    method,
    batch_id: batch,
    owner,
    failed_after: failedAfter,
    failed_before: failedBefore,
    value_from: numberIn(valueFrom),
    value_to: numberIn(valueTo),
    partner_codes: code,
  });
  const parsed = bulkRetryBody.safeParse({
    bulk_retry_id: id ?? freshId(),
    reason,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...given({
      dry_run: dryRun,
      canary: numberIn(canary),
      per_second: numberIn(perSecond),
      stop_at_failure_share: numberIn(stopAtFailureShare),
    }),
  });
  if (parsed.success) return parsed.data;
  const faults = fieldProblems(parsed.error).map(({ field, message }) => `${flagOf(field)} ${message}`);
  throw new UsageError(`${faults.join('\n')}\nNothing was sent.`);
}

function flagOf(field: string): string {
  const names = field.split('.');
  return bulkRetryOptions.find((one) => names.includes(one.field))?.flag ?? `--${field}`;
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.trim() === '' ? NaN : text);
}

/** Such as `retry-20260501-143000-1f3a`. */
function freshId(): string {
  const moment = new Date()
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
  return `retry-${moment}-${randomBytes(2).toString('hex')}`;
}
