import { Command } from 'commander';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

/** `durable-payments payout show <partner_code>` */
export function payoutShowCommand(): Command {
  return new Command('show')
    .description('Show a payout: its status, who is needed, its attempts, its story.')
    .argument('<partner_code>')
    .addOption(jsonOption())
    .action(async (partnerCode: string, options: JsonOption) => {
      print(await withPayments((payments) => payments.payout(partnerCode).state()), options, stateText);
    });
}
