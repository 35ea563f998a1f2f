import type { WorkflowStartOptions } from '@temporalio/client';
import type { CardStore } from '../../src/card-store/card-store.js';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import type { Clock, Payment } from './payment.js';

/** What tests of payments need, with Temporal or without: a sandbox, a card store, time, and payments to start. */
export type PaymentsStack = {
  readonly sandbox: Sandbox;
  readonly cardStore: CardStore;
  readonly clock: Clock;
  /** A payment that another client started. */
  payment<State>(workflowId: string): Payment<State>;
  /** Starts a payment by the type of its workflow, as any SDK does. */
  start<State>(
    type: string,
    workflowId: string,
    input: unknown,
    options?: Partial<WorkflowStartOptions>,
  ): Promise<Payment<State>>;
  /** Ends what a test has started. */
  finish(): Promise<void>;
  close(): Promise<void>;
};
