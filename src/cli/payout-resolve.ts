import { Command } from 'commander';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

type Options = JsonOption & { serviceId?: string; nothingHappened?: true; reason: string };

/** `durable-payments payout resolve <partner_code>` */
export function payoutResolveCommand(): Command {
  return new Command('resolve')
    .description('Say what became of a submission of unknown fate, as a person found it at the service.')
    .argument('<partner_code>')
    .option('--service-id <id>', 'it was made, under this id of the service')
    .option('--nothing-happened', 'it was not made; only when the service itself has confirmed that')
    .requiredOption('--reason <text>', "how that was found out; kept in the payment's story")
    .addOption(jsonOption())
    .action(async (partnerCode: string, { serviceId, nothingHappened, reason, ...options }: Options) => {
      if ((serviceId === undefined) === (nothingHappened === undefined)) {
        throw new UsageError('Say either --service-id or --nothing-happened. Nothing was changed.');
      }
      const found =
        serviceId === undefined ? ({ nothing_happened: true } as const) : { service_id: serviceId };
      const state = await withPayments((payments) =>
        payments.payout(partnerCode).resolve({ ...operator(reason), ...found }),
      );
      print(state, options, stateText);
    });
}
