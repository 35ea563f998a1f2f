import type { OrderKind } from './kinds.js';
import type { Order } from './order.js';
import { attemptView, payoutPayee } from './payout-attempts.js';
import { retryRequires } from './payout-command-rules.js';
import type { PayoutMethod } from './payout-corrections.js';
import { latestOf, type Payout } from './payout.js';
import { retryRefundRequires } from './refund-stages.js';
import type { Refund } from './refund.js';
import type { CommandName } from './stage-table.js';
import type { Validation } from './validation.js';

// What the state of each kind of payment shows beside what every state does. `commands` are those that it takes now.

export function payoutView(
  payout: Payout,
  input: { readonly method?: string; readonly send_before?: string | undefined } | undefined,
  commands: readonly CommandName[],
) {
  const { attempts } = payout;
  const isOffered = commands.includes('retryPayout');
  return {
    kind: 'payout' as const,
    method: methodOf(input),
    payee: payoutPayee(attempts),
    attempts: attempts.map(attemptView),
    send_before: input?.send_before ?? null,
    retry_requires: isOffered ? retryRequires({ attempts, latest: latestOf(payout) }) : null,
  };
}

/** By pix, unless its input says otherwise, which may come from anybody. */
export function methodOf(input: { readonly method?: string } | undefined): PayoutMethod {
  return input?.method === 'transfer' ? 'transfer' : 'pix';
}

export function orderView(kind: OrderKind, { candidates, checkout, completion, phase }: Order) {
  const { answer, until } = completion;
  const isOpened = until !== null || answer !== null;
  const authentication = { until: until === null ? null : new Date(until).toISOString(), answer };
  return {
    kind,
    candidates: phase === 'unknown' || phase === 'void' ? [...candidates.shown] : [],
    checkout,
    authentication: isOpened ? authentication : null,
  };
}

export function refundView(refund: Refund, value: number | null, commands: readonly CommandName[]) {
  const { outcome, requests } = refund;
  return {
    kind: 'refund' as const,
    value: value === 0 ? null : value,
    outcome,
    requests,
    retry_requires: commands.includes('retryRefund') ? retryRefundRequires(refund) : null,
  };
}

export function validationView({ answer }: Validation) {
  return { kind: 'account_validation' as const, value: null, answer };
}
