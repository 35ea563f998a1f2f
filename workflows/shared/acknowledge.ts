import type { AcknowledgeAttention } from '../../src/contract/messages.js';
import { toCentavos } from '../../src/domain/money.js';
import type { Payment } from './payment.js';

/** An operator has dealt with the attention that is shown; `accept_value` is one more amount that the service may show from now on. */
export function acknowledge(payment: Payment, command: AcknowledgeAttention): void {
  const { record, reads } = payment;
  const { attention } = record;
  if (attention === null) return;
  const centavos = command.accept_value === undefined ? undefined : toCentavos(command.accept_value);
  let accepted = '';
  if (centavos !== undefined) {
    record.accept(centavos);
    reads.dueNow('command');
    accepted = `, the amount ${String(command.accept_value)} is accepted`;
  }
  record.note(`Acknowledged: ${attention}${accepted}`, command);
  record.acknowledge(attention);
  payment.conclude();
}
