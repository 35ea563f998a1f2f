import { Command } from 'commander';
import type { PaymentFilter, PaymentPage } from '../../client.js';
import { listQuery } from '../../contract/http/lists.js';
import { fieldProblems } from '../../contract/problems.js';
import { UsageError } from './exit.js';
import { jsonOption, print } from './output.js';
import type { JsonOption } from './output.js';
import { withPayments } from './payments.js';
import { listingTable } from './tables.js';

type Options = JsonOption & { status?: string; attention?: string; cursor?: string; limit?: string };

/** `… list`, a page of payments of these kinds. */
export function listCommand(noun: string, kinds: PaymentFilter['kinds']): Command {
  return new Command('list')
    .description(`List ${noun}, the newest first.`)
    .option('--status <status>', 'only those with this status')
    .option('--attention <attention>', 'only those that need a person for this reason')
    .option('--limit <n>', 'how many at most, 1 to 200', '50')
    .option('--cursor <cursor>', 'go on where a previous list ended')
    .addOption(jsonOption())
    .action(async ({ json, ...filters }: Options) => {
      const parsed = listQuery.safeParse(filters);
      if (!parsed.success) {
        const [fault] = fieldProblems(parsed.error);
        throw new UsageError(`--${fault?.field ?? ''} ${fault?.message ?? 'is wrong'}`);
      }
      const { limit, ...wanted } = parsed.data;
      const page = await withPayments((payments) =>
        payments.list({ kinds, ...wanted, limit: Number(limit) }),
      );
      print(page, json === true ? { json } : {}, listed);
    });
}

function listed({ payments, next_cursor: cursor }: PaymentPage): string {
  if (payments.length === 0) return 'There are none.';
  return `${listingTable(payments)}${cursor === null ? '' : `\nMore: --cursor ${cursor}`}`;
}
