import type { AcknowledgeAttention } from '../../src/contract/messages.js';
import { needsDecision } from '../../src/domain/attention.js';
import { toCentavos } from '../../src/domain/money.js';
import { Refused } from '../../src/domain/refused.js';
import type { Payment } from './payment.js';
import type { PaymentRecord } from './payment-record.js';

/** Why nothing can be acknowledged now; undefined when something can. */
export function acknowledgeRefusal({ attention }: PaymentRecord): Refused | undefined {
  if (attention === null) return new Refused('NoAttention', 'This payment does not need an operator.');
  if (!needsDecision(attention)) return undefined;
  const what = `${attention} ends by a decision, not by an acknowledgement. See its current details.`;
  return new Refused('DecisionNeeded', what);
}

/** Withdraws the attention that is shown; `accept_value` is the amount that the service may show from now on. */
export function acknowledge({ record, reads }: Payment, command: AcknowledgeAttention): void {
  const { attention } = record;
  if (attention === null) return;
  const centavos = command.accept_value === undefined ? undefined : toCentavos(command.accept_value);
  let accepted = '';
  if (centavos !== undefined) {
    record.data.acceptedCentavos = centavos;
    reads.dueNow('command');
    accepted = `, the amount ${String(command.accept_value)} is accepted`;
  }
  record.note(`Acknowledged: ${attention}${accepted}`, command);
  record.lower(attention);
}
