import { Command } from 'commander';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

/** `durable-payments order show <partner_code>` */
export function orderShowCommand(): Command {
  return new Command('show')
    .description('Show an order: its status, who is needed, its story.')
    .argument('<partner_code>')
    .addOption(jsonOption())
    .action(async (partnerCode: string, options: JsonOption) => {
      print(await withPayments((payments) => payments.order(partnerCode).state()), options, stateText);
    });
}
