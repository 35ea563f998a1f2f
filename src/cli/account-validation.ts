import { Command } from 'commander';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

/** `durable-payments account-validation show <partner_code>` */
export function accountValidationCommand(): Command {
  return new Command('account-validation').description('Validations of bank accounts.').addCommand(
    new Command('show')
      .description('Show a validation: its status, and what was heard, which is never verified.')
      .argument('<partner_code>')
      .addOption(jsonOption())
      .action(async (partnerCode: string, options: JsonOption) => {
        const state = await withPayments((payments) => payments.accountValidation(partnerCode).state());
        print(state, options, stateText);
      }),
  );
}
