import { Command, Option } from 'commander';
import type { z } from 'zod';
import type { PaymentFilter, PaymentPage } from '../../client.js';
import { orderFilter, payoutFilter } from '../../contract/http/list-filter.js';
import { orderListQuery, payoutListQuery } from '../../contract/http/lists.js';
import { fieldProblems } from '../../contract/problems.js';
import { orderKinds } from '../../domain/kinds.js';
import { failureCauses } from '../../domain/payout-attempts.js';
import { UsageError } from './exit.js';
import { jsonOption, print } from './output.js';
import type { JsonOption } from './output.js';
import { withPayments } from './payments.js';
import { listingTable } from './tables.js';

type Filters = Record<string, string | undefined>;

/** `order list`, a page of orders. */
export function listOrdersCommand(): Command {
  const filterOf = (filters: Filters) => orderFilter(checked(orderListQuery.safeParse(filters)));
  return listCommand('orders', filterOf).addOption(
    new Option('--kind <kind>', 'only orders of this kind').choices(orderKinds),
  );
}

/** `payout list`, a page of payouts. */
export function listPayoutsCommand(): Command {
  const filterOf = (filters: Filters) => payoutFilter(checked(payoutListQuery.safeParse(filters)));
  return listCommand('payouts', filterOf)
    .addOption(new Option('--cause <cause>', 'only those that failed for this').choices(failureCauses))
    .option('--batch-id <id>', 'only those of this batch, in its order');
}

function listCommand(noun: string, filterOf: (filters: Filters) => PaymentFilter): Command {
  return new Command('list')
    .description(`List ${noun}, the newest first.`)
    .option('--status <status>', 'only those with this status')
    .option('--attention <attention>', 'only those that need an operator for this reason')
    .option('--value-from <reais>', 'only those of this value or more')
    .option('--value-to <reais>', 'only those of this value or less')
    .option('--started-after <moment>', 'only those started since then, such as 2026-05-01T00:00:00Z')
    .option('--started-before <moment>', 'only those started before then')
    .option('--limit <n>', 'how many at most, 1 to 200', '50')
    .option('--cursor <cursor>', 'go on where a previous list ended')
    .addOption(jsonOption())
    .action(async ({ json, ...options }: JsonOption & Filters) => {
      const filter = filterOf(
        Object.fromEntries(Object.entries(options).map(([name, value]) => [fieldOf(name), value])),
      );
      const page = await withPayments((payments) => payments.list(filter));
      print(page, json === true ? { json } : {}, listed);
    });
}

/** valueFrom is value_from. */
function fieldOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function checked<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data;
  const [fault] = fieldProblems(parsed.error);
  throw new UsageError(`--${fault?.field.replaceAll('_', '-') ?? ''} ${fault?.message ?? 'is wrong'}`);
}

function listed({ payments, next_cursor: cursor }: PaymentPage): string {
  if (payments.length === 0) return 'There are none.';
  return `${listingTable(payments)}${cursor === null ? '' : `\nMore: --cursor ${cursor}`}`;
}
