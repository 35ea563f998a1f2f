import { Command } from 'commander';
import type { PaymentState, PaymentsClient } from '../../client.js';
import { jsonOption, print } from './output.js';
import type { JsonOption } from './output.js';
import { withPayments } from './payments.js';
import { stateText } from './tables.js';

/** `… show <partner_code>` */
export function showCommand(
  description: string,
  read: (payments: PaymentsClient, partnerCode: string) => Promise<PaymentState>,
): Command {
  return new Command('show')
    .description(description)
    .argument('<partner_code>')
    .addOption(jsonOption())
    .action(async (partnerCode: string, options: JsonOption) => {
      print(await withPayments((payments) => read(payments, partnerCode)), options, stateText);
    });
}
