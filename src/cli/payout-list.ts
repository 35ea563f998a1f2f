import { Command } from 'commander';
import type { PaymentPage } from '../client.js';
import { listQuery } from '../contract/http-lists.js';
import { fieldProblems } from '../contract/problems.js';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { listingTable } from './shared/tables.js';

type Options = JsonOption & { status?: string; attention?: string; cursor?: string; limit?: string };

/** `durable-payments payout list` */
export function payoutListCommand(): Command {
  return new Command('list')
    .description('List payouts, the newest first.')
    .option('--status <status>', 'only those with this status, such as done')
    .option('--attention <attention>', 'only those that need a person for this reason, such as payout_failed')
    .option('--limit <n>', 'how many at most, 1 to 200', '50')
    .option('--cursor <cursor>', 'go on where a former list ended')
    .addOption(jsonOption())
    .action(async ({ json, ...filters }: Options) => {
      const parsed = listQuery.safeParse(filters);
      if (!parsed.success) {
        const [fault] = fieldProblems(parsed.error);
        throw new UsageError(`--${fault?.field ?? ''} ${fault?.message ?? 'is wrong'}`);
      }
      const { limit, ...wanted } = parsed.data;
      const page = await withPayments((payments) =>
        payments.list({ kinds: ['payout'], ...wanted, limit: Number(limit) }),
      );
      print(page, json === true ? { json } : {}, listed);
    });
}

function listed({ payments, next_cursor: cursor }: PaymentPage): string {
  if (payments.length === 0) return 'There are none.';
  return `${listingTable(payments)}${cursor === null ? '' : `\nMore: --cursor ${cursor}`}`;
}
