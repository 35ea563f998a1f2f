import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import type { PayoutShown } from '../../src/domain/misfit.js';
import { lookedAt, type Look } from '../../src/domain/payout-readings.js';
import { newPayout, type Payout } from '../../src/domain/payout.js';

/** Payouts of 150 reais with the code P, and what the service shows of their attempts. */
export const right = { partnerCode: 'P', rightCentavos: [15_000] };
export const now = 1_000;

const code = (number: number) => (number === 1 ? 'P' : `P-r${String(number)}`);
export const attempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  ...newAttempt(number, code(number), 0),
  ...more,
});
export const followed = (number: number, status: string) =>
  attempt(number, { phase: 'known', serviceId: `7${String(number)}`, status, wasRead: true });
export const refused = (number: number) => attempt(number, { phase: 'refused', error: '422' });
export const payoutOf = (attempts: Attempt[], more: Partial<Payout> = {}): Payout => ({
  ...newPayout('P', 0),
  ...{ attempts, ...more },
});
export const shown = (
  number: number,
  status: string | null,
  more: Partial<PayoutShown> = {},
): PayoutShown => ({
  ...{ service_id: `7${String(number)}`, partner_code: code(number), value_centavos: 15_000, status },
  ...more,
});
export const read = (number: number, status: string | null, more: Partial<PayoutShown> = {}) => ({
  ...{ number, shown: shown(number, status, more) },
});

/** What comes of a look at what the service shows. */
export function look(payout: Payout, seen: Partial<Look>) {
  const { change, result } = lookedAt(payout, { read: [], missing: [], listed: null, now, ...seen }, right);
  const { attempts, news } = { ...payout, ...change };
  const statuses = attempts.map(({ phase, status }) => (phase === 'known' ? status : phase));
  return { result, statuses, news: news ?? [], attempts };
}
