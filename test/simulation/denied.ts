import { PayoutPayment } from '../../workflows/payout/payment.js';
import type { Simulated } from './simulated-run.js';
import { Violation } from './violation.js';

/** Of an attempt that was last shown moving, also to a command that was refused, nobody may say that it came to nothing. */
export function deniesNoMovement({ plan, run, service }: Simulated): void {
  const { payment } = run.living;
  if (!(payment instanceof PayoutPayment) || run.halt?.kind !== 'wait') return;
  // With another value it is not this payout, for all that anybody can know.
  if (plan.shape.netValue) return;
  for (const { partnerCode, phase, serviceId } of payment.attempts) {
    if (phase !== 'not_paid') continue;
    for (const { code, record } of service.sent) {
      const shown = code === partnerCode && record !== undefined ? service.shown.get(record.id) : undefined;
      // Whose it is, a read by an identifier that an operator names need not show.
      const isOfIt = shown?.by === 'list' || plan.shape.showsCode || serviceId === record?.id;
      if (shown === undefined || [null, 'error'].includes(shown.status) || !isOfIt) continue;
      throw new Violation(
        'what was last shown moving has not come to nothing',
        `${code} is ${String(shown.status)}`,
      );
    }
  }
}
