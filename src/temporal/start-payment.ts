import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import { comparedWith } from '../contract/canonical.js';
import { workflowIdOf } from '../domain/ids.js';
import { firstStatus, workflowTypes } from '../domain/kinds.js';
import type { PaymentKind } from '../domain/kinds.js';
import { toDecimal } from '../domain/money.js';
import { priorityKeyOf, priorityKeys } from '../domain/priorities.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { startOnce, type StartOptions, type StartOutcome } from './start-once.js';

/** One payment to start. `input` has been parsed by the caller: nothing is validated here. */
export type PaymentStart = {
  readonly kind: PaymentKind;
  readonly partnerCode: string;
  /** What its workflow id is made of: the partner_code, of a refund the order's identifier at the service. */
  readonly idKey: string;
  readonly input: Record<string, unknown>;
  readonly valueCentavos: number | undefined;
  /** One line for the Web UI, without personal data. */
  readonly summary: string;
  /** Reads a recorded input as this kind does; undefined when it is no input of it. */
  readonly parseInput: (recorded: unknown) => Record<string, unknown> | undefined;
};

/**
 * Starts a payment, or finds the one that was started under the same partner_code. The same request finds it, also
 * after it was closed, until retention removes it; another request is a conflict.
 *
 * Safe to repeat after any error: it starts at most once.
 */
export function startPayment(
  client: Client,
  start: PaymentStart,
  { inBatch = false, ...options }: StartOptions & { readonly inBatch?: boolean },
): Promise<StartOutcome> {
  return startOnce(
    client,
    {
      workflowType: workflowTypes[start.kind],
      workflowId: workflowIdOf(start.kind, start.idKey),
      input: start.input,
      summary: start.summary,
      priorityKey: inBatch ? priorityKeys.batch : priorityKeyOf(start.kind),
      searchAttributes: attributesAtStart(start),
      ...comparedWith(start.input, start.parseInput),
    },
    options,
  );
}

/** What the workflow would publish first, set at the start: it costs no event then. */
function attributesAtStart({ kind, idKey, partnerCode, valueCentavos }: PaymentStart) {
  const { PaymentKind, PaymentStatus, PaymentPartnerCode, PaymentServiceId, PaymentValue } = searchAttributes;
  const keyword = ({ name, type }: { name: string; type: 'KEYWORD' }, value: string) => ({
    key: defineSearchAttributeKey(name, type),
    value,
  });
  const attributes = new TypedSearchAttributes([
    keyword(PaymentKind, kind),
    keyword(PaymentStatus, firstStatus(kind)),
    keyword(PaymentPartnerCode, partnerCode),
    ...(kind === 'refund' ? [keyword(PaymentServiceId, idKey)] : []),
  ]);
  if (valueCentavos === undefined) return attributes;
  const valueKey = defineSearchAttributeKey(PaymentValue.name, PaymentValue.type);
  return attributes.updateCopy([{ key: valueKey, value: toDecimal(valueCentavos) }]);
}
