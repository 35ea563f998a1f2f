import type { PayoutState } from '../../../src/contract/state.js';
import { attentionIs, statusIs, type Payment } from '../payment.js';
import { pixPayout, transferPayout } from '../requests.js';
import type { PaymentsStack } from '../payments-stack.js';

/** Payouts of a test; `tags` are scenarios of the sandbox. */
export function payoutsOn(stack: PaymentsStack) {
  const { sandbox } = stack;

  const startOf = (code: string, input: object) =>
    stack.start<PayoutState>('payout', `payout-${code}`, input);
  const start = (code: string, tags = '', more: object = {}) => startOf(code, pixPayout(code, tags, more));
  const startTransfer = (code: string, more: object = {}) => startOf(code, transferPayout(code, more));

  /** One that was sent, and that the service showed as `claimed` and then in each of these statuses. */
  async function shownAs(code: string, ...statuses: string[]): Promise<Payment<PayoutState>> {
    const payout = await start(code);
    await payout.until(statusIs('claimed'));
    for (const status of statuses) {
      sandbox.setPayoutStatus(code, status);
      await payout.until(statusIs(status), '3 hours');
    }
    return payout;
  }

  /** One whose first attempt the service shows as failed. */
  async function failed(code: string, tags = '', more: object = {}): Promise<Payment<PayoutState>> {
    const payout = await start(code, tags, more);
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_failed'));
    return payout;
  }

  /** What the service has made of it, by its ledger, over all attempts. */
  const made = (code: string) =>
    sandbox
      .ledger()
      .payouts.filter(({ partner_code: sent }) => sent === code || sent.startsWith(`${code}-r`));
  const idOf = (code: string) => String(made(code)[0]?.id);
  const madeCodes = (code: string) => made(code).map(({ partner_code: sent }) => sent);

  /** Answers the next submissions of this code with 429: nothing happens. */
  const throttle = (code: string, times = 1) => {
    sandbox.fault({
      ...{ endpoint: 'POST /v1/payout/pix', partner_code: code, times },
      fault: { effect: 'none', status: 429 },
    });
  };

  return { start, startTransfer, shownAs, failed, made, idOf, madeCodes, throttle };
}
