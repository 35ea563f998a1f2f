import { Command, Option } from 'commander';
import { PaymentNotFoundError, type PaymentsClient } from '../client.js';
import { isSameIdentifier } from '../domain/service-ids.js';
import { UsageError } from './shared/exit.js';
import { acknowledgeCommand } from './shared/decisions.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';
import { showCommand } from './shared/show-command.js';
import { firstState } from './shared/start-from-file.js';
import { stateText } from './shared/tables.js';

/** `durable-payments refund start|show|retry|resolve|acknowledge <partner_code>` */
export function refundCommand(): Command {
  return new Command('refund')
    .description('Refunds of orders, by the partner_code of the order.')
    .addCommand(startRefund())
    .addCommand(
      showCommand(
        'Show the refund of an order: its status, whether it needs an operator, its timeline.',
        async (payments, partnerCode) => (await payments.refundOfOrder(partnerCode)).state(),
      ),
    )
    .addCommand(retryRefund())
    .addCommand(resolveRefund())
    .addCommand(acknowledgeCommand((payments, partnerCode) => payments.refundOfOrder(partnerCode)));
}

type StartOptions = JsonOption & { serviceId?: string; reason: string };

function startRefund(): Command {
  return new Command('start')
    .description('Refund an order, or find the refund that was requested before.')
    .argument('<partner_code>')
    .option('--service-id <id>', "the order's id at the service; needed when its own workflow is gone")
    .requiredOption('--reason <text>', "kept in the refund's timeline")
    .addOption(jsonOption())
    .action(async (partnerCode: string, { serviceId, reason, ...options }: StartOptions) => {
      const state = await withPayments(async (payments) => {
        const order = await orderOf(payments, partnerCode, serviceId);
        const input = { partner_code: partnerCode, ...order, ...operator(reason) };
        const { payment } = await payments.startRefund(input);
        return firstState(payment);
      });
      print(state, options, stateText);
    });
}

async function orderOf(payments: PaymentsClient, partnerCode: string, serviceId: string | undefined) {
  try {
    const { service_id: known, value } = await payments.order(partnerCode).state();
    if (known === null) throw new UsageError('The order has no id at the service yet. Nothing was refunded.');
    if (serviceId !== undefined && !isSameIdentifier(serviceId, known)) {
      throw new UsageError(`The order is ${known} at the service, not ${serviceId}. Nothing was refunded.`);
    }
    return { service_id: known, value };
  } catch (error) {
    if (!(error instanceof PaymentNotFoundError) || serviceId === undefined) throw error;
    return { service_id: serviceId };
  }
}

type RetryOptions = JsonOption & { nothingQueued?: true; reason: string };

function retryRefund(): Command {
  return new Command('retry')
    .description('Ask the service for a refund once more, after a fresh read of the order.')
    .argument('<partner_code>')
    .option('--nothing-queued', 'the service has confirmed that it holds no refund of this order')
    .requiredOption('--reason <text>', "kept in the refund's timeline")
    .addOption(jsonOption())
    .action(async (partnerCode: string, { nothingQueued, reason, ...options }: RetryOptions) => {
      const word = nothingQueued === undefined ? {} : { nothing_queued: nothingQueued };
      const state = await withPayments(async (payments) =>
        (await payments.refundOfOrder(partnerCode)).retry({ ...word, ...operator(reason) }),
      );
      print(state, options, stateText);
    });
}

type ResolveOptions = JsonOption & { outcome: 'refunded' | 'not_refunded'; reason: string };

function resolveRefund(): Command {
  return new Command('resolve')
    .description('Record the outcome of a refund that comes to no end by itself; this ends it.')
    .argument('<partner_code>')
    .addOption(
      new Option('--outcome <outcome>', 'whether the customer has the money back')
        .choices(['refunded', 'not_refunded'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', "how that was found out; kept in the refund's timeline")
    .addOption(jsonOption())
    .action(async (partnerCode: string, { outcome, reason, ...options }: ResolveOptions) => {
      const state = await withPayments(async (payments) =>
        (await payments.refundOfOrder(partnerCode)).resolveRefund({ outcome, ...operator(reason) }),
      );
      print(state, options, stateText);
    });
}
