import { defineSearchAttributeKey } from '@temporalio/common';
import { closings, type Closing } from '../domain/closings.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { PaymentNotFoundError } from './errors.js';
import { callTemporal, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** What Temporal itself knows of a payment's workflow, whatever the workflow reports. */
export type Execution = {
  /** The name of the API key that started it; null when a bare client did. */
  readonly owner: string | null;
  /** Its status, as search shows it; null before it has one. */
  readonly status: string | null;
  /** The order's or payout's identifier at the service, once it is known. */
  readonly serviceId: string | null;
  /** In reais; null when it has none. */
  readonly value: number | null;
  /** How it ended; null while it is open. */
  readonly closedAs: Closing | null;
};

const owner = defineSearchAttributeKey(searchAttributes.PaymentOwner.name, 'KEYWORD');
const paymentStatus = defineSearchAttributeKey(searchAttributes.PaymentStatus.name, 'KEYWORD');
const serviceId = defineSearchAttributeKey(searchAttributes.PaymentServiceId.name, 'KEYWORD');
const value = defineSearchAttributeKey(searchAttributes.PaymentValue.name, 'DOUBLE');

/** Looks a workflow up in Temporal. @throws WorkflowNotFoundError, TemporalUnavailableError */
export async function describeExecution(calls: TemporalCalls, workflowId: string): Promise<Execution> {
  const handle = calls.client.workflow.getHandle(workflowId);
  const { status, typedSearchAttributes } = await callTemporal(calls, () => handle.describe());
  const name = status.name.toLowerCase();
  return {
    owner: typedSearchAttributes.get(owner) ?? null,
    status: typedSearchAttributes.get(paymentStatus) ?? null,
    serviceId: typedSearchAttributes.get(serviceId) ?? null,
    value: typedSearchAttributes.get(value) ?? null,
    closedAs: closings.find((closing) => closing === name) ?? null,
  };
}

/** The same, of a payment. @throws PaymentNotFoundError, TemporalUnavailableError */
export function describePayment(calls: TemporalCalls, workflowId: string): Promise<Execution> {
  return unlessNotFound(
    () => describeExecution(calls, workflowId),
    () => new PaymentNotFoundError(workflowId),
  );
}
