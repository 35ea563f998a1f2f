import type { Client } from '@temporalio/client';
import { TemporalOperationHandler } from '@temporalio/nexus';
import { serviceHandler, type OperationContext, type StartOperationContext } from 'nexus-rpc';
import type { z } from 'zod';
import { moneyOfRequest } from '../domain/masked-payee.js';
import type { paymentOutcome } from '../../workflows/payment-outcome.js';
import { audited, outcomeOf, type AuditEntry, type AuditLog } from '../audit/audit-log.js';
import { createPaymentsClient } from '../client/create-payments-client.js';
import { offerCard } from '../client/offer-card.js';
import { parseRequest } from '../client/parse.js';
import type { Started } from '../client/payment-starter.js';
import { requireOwner, type Owned } from '../client/require-owner.js';
import {
  nexusAbandonPayout,
  nexusAwaitOutcome,
  nexusReadPayment,
  nexusRetryPayout,
  nexusStartCardOrder,
  nexusStartHostedCheckout,
  nexusStartPayout,
  nexusStartThreeDSecureOrder,
  referredWorkflowId,
  type NexusReadPayment,
  type NexusStarted,
} from '../contract/nexus.js';
import { workflowIdOf } from '../domain/ids.js';
import { awaitedPayment, outcomeWorkflowId } from '../domain/nexus.js';
import type { NotifyTargetAddress, NotifyWorkflows } from '../domain/notify-targets.js';
import { paymentsService } from '../nexus.js';
import type { StartedFor } from '../temporal/start-once.js';
import { answering, type ErrorLog } from './answering.js';

/** Temporal waits ten seconds for an operation that answers at once, and then tries it again. */
const callTimeoutMs = 8_000;

export type PaymentsHandlerOptions = {
  readonly client: Client;
  /** Of the payments. */
  readonly taskQueue: string;
  /** Who calls through this handler's task queue, by the name that owns what it starts. */
  readonly caller: string;
  readonly pollScale: number;
  readonly notifyTargets: readonly NotifyTargetAddress[];
  readonly notifyWorkflows: readonly NotifyWorkflows[];
  readonly audit: AuditLog;
  readonly logger: ErrorLog;
};

/** The Nexus service `payments` for one caller, who sees and commands what is its own. */
export function createPaymentsHandler({ caller, audit, logger, ...options }: PaymentsHandlerOptions) {
  const { client, taskQueue } = options;
  const payments = createPaymentsClient({ ...options, callTimeoutMs });
  const startedFor: StartedFor = { owner: caller, onlyOwn: true };
  const answer = <Answer>(context: OperationContext, act: () => Promise<Answer>) =>
    answering(logger, context.operation, act);

  const write = (entry: Omit<AuditEntry, 'key' | 'address'>) =>
    audit({ key: caller, address: 'nexus', ...entry });

  /** The input of a start or command; one that can't be read is in the audit stream, too. */
  function read<Request>({ operation }: OperationContext, schema: z.ZodType<Request>, input: unknown) {
    try {
      return parseRequest(schema, input);
    } catch (error) {
      write({ command: operation, outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** The same request again finds the payment, so Temporal may repeat it. */
  function starts<Request, Payment extends Owned>(
    schema: z.ZodType<Request>,
    idOf: (request: Request) => string,
    start: (request: Request, startedFor: StartedFor) => Promise<Started<Payment>>,
  ) {
    return (context: StartOperationContext, input: unknown): Promise<NexusStarted> =>
      answer(context, async () => {
        const request = read(context, schema, input);
        return command(context, idOf(request), request, async () => {
          const { payment, repeated } = await start(request, startedFor);
          return { workflow_id: payment.workflowId, repeated };
        });
      });
  }

  function command<Answer extends object>(
    { operation }: OperationContext,
    workflowId: string,
    request: unknown,
    act: () => Promise<Answer>,
  ): Promise<Answer> {
    const about = { command: operation, workflow_id: workflowId, ...moneyOfRequest(request) };
    return audited(write, about, act, {
      of: (done) => wordFor(done),
      ofError: outcomeOf,
    });
  }

  async function own<Payment extends Owned>(payment: Payment): Promise<Payment> {
    await requireOwner(payment, caller);
    return payment;
  }

  const referred = ({ kind, partner_code: code }: NexusReadPayment) =>
    kind === 'payout' ? own(payments.payout(code)) : own(payments.order(code));
  const orderId = ({ order }: { order: { partner_code: string } }) =>
    workflowIdOf('card_order', order.partner_code);

  return serviceHandler(paymentsService, {
    startPayout: starts(
      nexusStartPayout,
      ({ partner_code: code }) => workflowIdOf('payout', code),
      payments.startPayout,
    ),
    startCardOrder: starts(nexusStartCardOrder, orderId, async (request, owner) => {
      const started = await payments.startCardOrder(request, owner);
      if (started.repeated) await offerCard(started.payment, request.card);
      return started;
    }),
    startHostedCheckout: starts(nexusStartHostedCheckout, orderId, payments.startHostedCheckout),
    startThreeDSecureOrder: starts(nexusStartThreeDSecureOrder, orderId, payments.startThreeDSecureOrder),

    readPayment: (context, input) =>
      answer(context, async () => {
        const payment = await referred(parseRequest(nexusReadPayment, input));
        return payment.state();
      }),

    awaitOutcome: new TemporalOperationHandler({
      start: (context, temporal, input) =>
        answer(context, async () => {
          const wanted = parseRequest(nexusAwaitOutcome, input);
          await referred(wanted);
          const paymentId = referredWorkflowId(wanted);
          return temporal.startWorkflow<typeof paymentOutcome>('paymentOutcome', {
            taskQueue,
            // An operation that Temporal starts again has the same id, and finds the workflow that awaits already.
            workflowId: outcomeWorkflowId(paymentId, context.requestId),
            args: [wanted],
            staticSummary: `Awaits the outcome of ${paymentId} for ${caller}`,
          });
        }),
      cancelWorkflowRun: (context, { workflowId }) =>
        answer(context, async () => {
          // The token may come from anyone who reaches the endpoint: only what awaits is cancelled, never a payment.
          const awaited = awaitedPayment(workflowId);
          if (awaited === undefined) return;
          await referred(awaited);
          await client.workflow.getHandle(workflowId).cancel();
        }),
    }),

    retryPayout: (context, input) =>
      answer(context, async () => {
        const { partner_code: code, ...retry } = read(context, nexusRetryPayout, input);
        const payout = payments.payout(code);
        return command(context, payout.workflowId, retry, async () =>
          (await own(payout)).retry({ ...retry, by: caller }, context.requestId),
        );
      }),

    abandonPayout: (context, input) =>
      answer(context, async () => {
        const { partner_code: code, ...abandonment } = read(context, nexusAbandonPayout, input);
        const payout = payments.payout(code);
        return command(context, payout.workflowId, abandonment, async () =>
          (await own(payout)).abandon({ ...abandonment, by: caller }, context.requestId),
        );
      }),
  });
}

function wordFor(done: object): string {
  if (!('repeated' in done)) return 'accepted';
  return done.repeated === true ? 'repeated' : 'started';
}
