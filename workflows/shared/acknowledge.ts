import type { AcknowledgeAttention } from '../../src/contract/messages.js';
import { needsDecision } from '../../src/domain/attention.js';
import { toCentavos } from '../../src/domain/money.js';
import type { Payment } from './context.js';
import type { PaymentRecord } from './payment-record.js';
import { Refused } from './refused.js';

/** Why nothing can be acknowledged now; undefined when something can. */
export function acknowledgeRefusal(record: PaymentRecord): Refused | undefined {
  const { attention } = record;
  if (attention === null) return new Refused('NoAttention', 'This payment does not need an operator.');
  return needsDecision(attention)
    ? new Refused(
        'DecisionNeeded',
        `${attention} ends by a decision, not by an acknowledgement. See its current details.`,
      )
    : undefined;
}

/** Withdraws the attention that is shown; `accept_value` is the amount that the service may show from now on. */
export function acknowledge({ record, reads }: Payment, command: AcknowledgeAttention): void {
  const { attention } = record;
  if (attention === null) return;
  const centavos = command.accept_value === undefined ? undefined : toCentavos(command.accept_value);
  if (centavos !== undefined) {
    record.acceptValue(centavos);
    reads.dueNow('command');
  }
  record.note(
    `Acknowledged: ${attention}${centavos === undefined ? '' : `, the amount ${String(command.accept_value)} is accepted`}`,
    command,
  );
  record.lower(attention);
}
