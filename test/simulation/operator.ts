import type { Attention } from '../../src/domain/attention.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import type { OperatorAction } from './plan.js';
import { valueCentavos } from './readings.js';

/** What is known to whoever acts upon a payment. */
export type Known = {
  /** Of a payout: the number of its latest attempt. */
  readonly attempt: number | undefined;
  /** The one that is shown, for an acknowledgement. */
  readonly attention: Attention | null;
  /** What the service has of the payment that was made last. */
  readonly recordId: string | undefined;
  /** What another payment has there. */
  readonly anotherId: string;
  readonly card: { readonly card_ref: string; readonly task_queue: string };
  /** Of a refund: whether the order reads as refunded, and whether the service may still have a request queued. */
  readonly isRefunded: boolean;
  readonly noRefundIsQueued: boolean;
};

/** What a plan has an operator or an order-management service do, as a command of the workflow. */
export function commandOf(
  action: Exclude<OperatorAction, 'cancel'>,
  { anotherId, attempt, attention, card, isRefunded, noRefundIsQueued, recordId }: Known,
): { name: CommandName; message: object } {
  const command = (name: CommandName, message: object) => ({
    name,
    message: { by: 'ops', reason: 'planned', ...message },
  });
  switch (action) {
    case 'retry':
      return command('retryPayout', {});
    case 'retry_named':
      return command('retryPayout', { attempt, corrections: { pix: 'other@example.com' } });
    case 'abandon':
      return command('abandonPayout', {});
    case 'resolve_truly':
      return command(
        'resolveSubmission',
        recordId === undefined ? { nothing_happened: true } : { service_id: recordId },
      );
    case 'resolve_as_nothing':
      return command('resolveSubmission', { nothing_happened: true });
    case 'resolve_as_another':
      return command('resolveSubmission', { service_id: anotherId });
    case 'acknowledge':
      return command('acknowledgeAttention', { attention: attention ?? 'overdue' });
    case 'accept_value':
      return command('acknowledgeAttention', { attention, accept_value: (valueCentavos - 50) / 100 });
    case 'provide_card':
      return command('provideCard', card);
    case 'complete':
      return command('completeThreeDSecure', { callback: 'callback', eci: '05', card });
    case 'retry_refund':
      return command('retryRefund', noRefundIsQueued ? { nothing_queued: true } : {});
    case 'resolve_refund':
      return command('resolveRefund', { outcome: isRefunded ? 'refunded' : 'not_refunded' });
  }
}
