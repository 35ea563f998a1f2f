import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { searchAttributes } from '../../src/domain/search-attributes.js';
import { toDecimal } from '../../src/domain/money.js';
import { currentDetails } from './details.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { Payment } from './payment.js';

type Value = string | number | Date | null;

/** What changes often while a payment is young. */
const passing = ['PaymentStatus', 'PaymentServiceId'];

/**
 * Brings search attributes and current details up to date: one event at most, none when nothing changed, and none for a
 * status that is looked at again within seconds, unless it needs an operator.
 */
export class Publisher {
  readonly #published: Record<string, unknown>;

  constructor(private readonly payment: Payment<PaymentState>) {
    this.#published = Object.fromEntries(
      workflowInfo()
        .typedSearchAttributes.getAll()
        .map(({ key, value }) => [key.name, value]),
    );
  }

  /** @param isPassing the payment is read again within seconds: search attributes can wait until then */
  publish(isPassing: boolean): void {
    const { record } = this.payment;
    const state = this.payment.view();
    const wanted: Record<string, Value> = {
      PaymentKind: record.kind,
      PaymentStatus: state.status,
      PaymentAttention: state.attention,
      PaymentCause: state.cause,
      PaymentPartnerCode: record.partnerCode,
      PaymentServiceId: state.service_id,
      PaymentValue: record.valueCentavos === 0 ? null : toDecimal(record.valueCentavos),
    };
    const changed = Object.entries(wanted).filter(
      ([name, value]) => (this.#published[name] ?? null) !== value,
    );
    const mayWait = isPassing && changed.every(([name]) => passing.includes(name));
    if (changed.length > 0 && !mayWait) {
      Object.assign(this.#published, Object.fromEntries(changed));
      const values: Record<string, Value> = {
        ...Object.fromEntries(changed),
        PaymentUpdatedAt: new Date(),
      };
      upsertSearchAttributes(
        Object.values(searchAttributes).flatMap((key) => {
          const value = values[key.name];
          return value === undefined ? [] : [attributeUpdate(key, value)];
        }),
      );
    }
    setCurrentDetails(currentDetails(state));
  }
}

type AttributeKey = (typeof searchAttributes)[keyof typeof searchAttributes];

function attributeUpdate(key: AttributeKey, value: Value) {
  switch (key.type) {
    case 'DOUBLE':
      return { key, value: typeof value === 'number' ? value : null };
    case 'DATETIME':
      return { key, value: value instanceof Date ? value : null };
    case 'KEYWORD':
      return { key, value: typeof value === 'string' ? value : null };
  }
}
