import { Command, Option } from 'commander';
import type { AcknowledgeAttention, ResolveSubmission } from '../../contract/messages.js';
import type { PaymentState, PaymentsClient } from '../../client.js';
import { attentions, type Attention } from '../../domain/attention.js';
import { UsageError } from './exit.js';
import { jsonOption, print } from './output.js';
import type { JsonOption } from './output.js';
import { operator, withPayments } from './payments.js';
import { stateText } from './tables.js';

/** A payment whose submission can be resolved. */
export type Resolvable = { resolve(found: ResolveSubmission): Promise<PaymentState> };
export type Acknowledgeable = { acknowledge(command: AcknowledgeAttention): Promise<PaymentState> };

/** Finds the payment that a command is about. */
export type Find<Payment> = (payments: PaymentsClient, partnerCode: string) => Payment | Promise<Payment>;

export type ResolveOptions = JsonOption & { serviceId?: string; nothingHappened?: true; reason: string };

/** `… resolve <partner_code>` */
export function resolveCommand(find: Find<Resolvable>): Command {
  return withFinding(new Command('resolve'))
    .argument('<partner_code>')
    .action((partnerCode: string, options: ResolveOptions) => resolveOne(find, partnerCode, options));
}

/** What every command takes that resolves a submission. */
export function withFinding(command: Command): Command {
  return command
    .description('Resolve a submission of unknown outcome with what you found at the service.')
    .option('--service-id <id>', 'it was made, under this id of the service')
    .option('--nothing-happened', 'it was not made; only when the service itself has confirmed that')
    .requiredOption('--reason <text>', "how that was found out; kept in the payment's timeline")
    .addOption(jsonOption());
}

/**
 * Resolves the submission of one payment and prints its state.
 *
 * @throws UsageError unless exactly one of `serviceId` and `nothingHappened` is given
 */
export async function resolveOne(
  find: Find<Resolvable>,
  partnerCode: string,
  { serviceId, nothingHappened, reason, ...options }: ResolveOptions,
): Promise<void> {
  if ((serviceId === undefined) === (nothingHappened === undefined)) {
    throw new UsageError('Give either --service-id or --nothing-happened. Nothing was changed.');
  }
  const found = serviceId === undefined ? ({ nothing_happened: true } as const) : { service_id: serviceId };
  const state = await withPayments(async (payments) =>
    (await find(payments, partnerCode)).resolve({ ...operator(reason), ...found }),
  );
  print(state, options, stateText);
}

type AcknowledgeOptions = JsonOption & { acceptValue?: number; attention: Attention; reason: string };

/** Another one may be shown by then, which nobody has dealt with. */
function attentionOption(): Option {
  return new Option('--attention <name>', 'the one that you have dealt with, as it is shown')
    .choices(attentions)
    .makeOptionMandatory();
}

/** `… acknowledge <partner_code>` */
export function acknowledgeCommand(find: Find<Acknowledgeable>): Command {
  return new Command('acknowledge')
    .description('Acknowledge an attention that you have dealt with.')
    .argument('<partner_code>')
    .addOption(attentionOption())
    .option(
      '--accept-value <amount>',
      'an amount that the service may show from now on, such as 99.5',
      Number,
    )
    .requiredOption('--reason <text>', "what was done about it; kept in the payment's timeline")
    .addOption(jsonOption())
    .action(
      async (partnerCode: string, { acceptValue, attention, reason, ...options }: AcknowledgeOptions) => {
        const accepted = acceptValue === undefined ? {} : { accept_value: acceptValue };
        const state = await withPayments(async (payments) =>
          (await find(payments, partnerCode)).acknowledge({ attention, ...accepted, ...operator(reason) }),
        );
        print(state, options, stateText);
      },
    );
}
