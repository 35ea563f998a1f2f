import type { Client } from '@temporalio/client';
import {
  WorkflowExecutionAlreadyStartedError,
  TypedSearchAttributes,
  defineSearchAttributeKey,
} from '@temporalio/common';
import { canonicalRequest } from '../contract/canonical.js';
import { workflowIdOf } from '../domain/ids.js';
import { workflowTypes } from '../domain/kinds.js';
import type { PaymentKind } from '../domain/kinds.js';
import { toDecimal } from '../domain/money.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { firstStart } from './first-start.js';

/** One payment to start. `input` has been parsed by the caller: nothing is validated here. */
export type PaymentStart = {
  readonly kind: PaymentKind;
  readonly partnerCode: string;
  readonly input: Record<string, unknown>;
  /** The status that the payment begins with. */
  readonly firstStatus: string;
  readonly valueCentavos: number | undefined;
  /** One line for the Web UI, without personal data. */
  readonly summary: string;
  /** Reads a recorded input as this kind does; undefined when it is no input of it. */
  readonly parseInput: (recorded: unknown) => Record<string, unknown> | undefined;
};

/** What became of a start: at most one payment per partner_code exists, whoever asks and however often. */
export type StartOutcome = { readonly workflowId: string } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'existing' }
  | { readonly kind: 'conflict'; readonly difference: 'workflow_type' | 'request' }
);

export type StartOptions = {
  readonly taskQueue: string;
  /** Only with a NativeConnection that a worker of this process shares: the first task skips the queue. */
  readonly eagerStart?: boolean;
};

/**
 * Starts a payment, or finds the one that was started under the same partner_code. The same request finds it, also
 * after it was closed, until retention removes it; another request is a conflict.
 *
 * Safe to repeat after any error: it starts at most once.
 */
export async function startPayment(
  client: Client,
  start: PaymentStart,
  { taskQueue, eagerStart = false }: StartOptions,
): Promise<StartOutcome> {
  const workflowId = workflowIdOf(start.kind, start.partnerCode);
  try {
    await client.workflow.start(workflowTypes[start.kind], {
      workflowId,
      taskQueue,
      args: [start.input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes: attributesAtStart(start),
      staticSummary: start.summary,
      requestEagerStart: eagerStart,
    });
    return { kind: 'started', workflowId };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return compareWithFirstStart(client, start, workflowId);
}

async function compareWithFirstStart(
  client: Client,
  start: PaymentStart,
  workflowId: string,
): Promise<StartOutcome> {
  const first = await firstStart(client, workflowId);
  if (first.workflowType !== workflowTypes[start.kind]) {
    return { kind: 'conflict', workflowId, difference: 'workflow_type' };
  }
  const recorded = start.parseInput(first.input);
  const same = recorded !== undefined && canonicalRequest(recorded) === canonicalRequest(start.input);
  return same ? { kind: 'existing', workflowId } : { kind: 'conflict', workflowId, difference: 'request' };
}

function attributesAtStart({ kind, partnerCode, firstStatus, valueCentavos }: PaymentStart) {
  const { PaymentKind, PaymentStatus, PaymentPartnerCode, PaymentValue } = searchAttributes;
  const attributes = new TypedSearchAttributes([
    { key: defineSearchAttributeKey(PaymentKind.name, PaymentKind.type), value: kind },
    { key: defineSearchAttributeKey(PaymentStatus.name, PaymentStatus.type), value: firstStatus },
    { key: defineSearchAttributeKey(PaymentPartnerCode.name, PaymentPartnerCode.type), value: partnerCode },
  ]);
  if (valueCentavos === undefined) return attributes;
  const valueKey = defineSearchAttributeKey(PaymentValue.name, PaymentValue.type);
  return attributes.updateCopy([{ key: valueKey, value: toDecimal(valueCentavos) }]);
}
