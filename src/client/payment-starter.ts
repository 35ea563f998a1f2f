import type { Notifiable } from '../domain/notify-targets.js';
import type { StartedFor } from '../temporal/start-once.js';
import { startPayment } from '../temporal/start-payment.js';
import { PaymentConflictError } from './errors.js';
import { startOf } from './lifecycles.js';
import type { Lifecycle } from './lifecycles.js';
import { requireNotifiable } from './notifiable.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** A payment that was started, or found: `repeated` when the same request had started it before. */
export type Started<Handle> = { readonly payment: Handle; readonly repeated: boolean };

type StarterOptions = {
  readonly taskQueue: string;
  readonly eagerStart: boolean;
  readonly notifiable: Notifiable;
};

/**
 * Makes the methods that start payments, one for each lifecycle. `defaults` are what a request has unless it says
 * otherwise.
 */
export function paymentStarter(calls: TemporalCalls, { taskQueue, eagerStart, notifiable }: StarterOptions) {
  return <Input extends Record<string, unknown>, Request extends object, Handle>(
      lifecycle: Lifecycle<Input, Request>,
      handleOf: (workflowId: string) => Handle,
      defaults: object,
    ) =>
    async (input: Request, startedFor: StartedFor = {}): Promise<Started<Handle>> => {
      const parsed = parseRequest(lifecycle.inputSchema, { ...defaults, ...input });
      requireNotifiable(notifiable, startedFor.owner, parsed);
      const outcome = await callTemporal(calls, () =>
        startPayment(calls.client, startOf(lifecycle, parsed), { taskQueue, eagerStart, ...startedFor }),
      );
      if (outcome.kind === 'conflict') {
        throw new PaymentConflictError(outcome.workflowId, outcome.difference, outcome.fields);
      }
      return { payment: handleOf(outcome.workflowId), repeated: outcome.kind === 'existing' };
    };
}
