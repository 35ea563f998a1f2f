import { Command } from 'commander';
import { accountValidationBody } from '../contract/account-validation.js';
import { acknowledgeCommand } from './shared/decisions.js';
import { checked } from './shared/request-file.js';
import { showCommand } from './shared/show-command.js';
import { startFromFile } from './shared/start-from-file.js';

/** `durable-payments account-validation start|show|acknowledge` */
export function accountValidationCommand(): Command {
  return new Command('account-validation')
    .description('Validations of bank accounts.')
    .addCommand(
      startFromFile('POST /v1/account-validations', (request) => {
        const input = checked(accountValidationBody, request);
        return (payments) => payments.startAccountValidation(input);
      }).description('Request a validation from a JSON file, or find the one that was requested before.'),
    )
    .addCommand(
      showCommand(
        'Show a validation: its status, and the last answer, which is never verified.',
        (payments, partnerCode) => payments.accountValidation(partnerCode).state(),
      ),
    )
    .addCommand(acknowledgeCommand((payments, partnerCode) => payments.accountValidation(partnerCode)));
}
