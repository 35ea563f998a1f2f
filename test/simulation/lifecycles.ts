import type { PayoutInput } from '../../src/contract/payout.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { workflowTypes } from '../../src/domain/kinds.js';
import type { Run } from '../../workflows/shared/run.js';
import { lives, type Build, type Life } from '../support/lives.js';
import { delaysMs, type Plan } from './plan.js';
import { valueCentavos } from './readings.js';
import type { SimulatedService } from './simulated-service.js';

/** The payment under test, and how each run builds it, with what the run before handed on as JSON. */
export type Lifecycle = {
  readonly workflowId: string;
  readonly begin: (run: Run, snapshot: string | undefined) => Life;
};

export const partnerCode = 'simulated-1';
const value = valueCentavos / 100;
export const customer = {
  ...{ name: 'Ana Silva', email: 'ana@example.com', phone: '+5511999998888', document: '52998224725' },
};
export const orderOf = (partner_code: string) => ({
  ...{ partner_code, value: valueCentavos / 100, description: 'simulated' },
  payment_method: 'credit_card' as const,
});
const order = orderOf(partnerCode);
export const card = {
  card_ref: '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f',
  task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
};

export function lifecycleOf(plan: Plan, service: SimulatedService, startsAt: number): Lifecycle {
  const { input, workflowId } = startOf(plan, service, startsAt);
  const build: Build = lives[workflowTypes[plan.kind]];
  return { workflowId, begin: (run, snapshot) => build(input, run, snapshot) };
}

/** Under which id a payment of the plan is started, and with what. */
function startOf(
  plan: Plan,
  service: SimulatedService,
  startsAt: number,
): { workflowId: string; input: object } {
  const options = plan.watchDays === null ? {} : { watch_days: plan.watchDays };
  const workflowId = `order-${partnerCode}`;
  switch (plan.kind) {
    case 'payout':
      return { workflowId: `payout-${partnerCode}`, input: payoutInput(plan, options, startsAt) };
    case 'refund': {
      const { id } = service.refundable;
      const input = { partner_code: partnerCode, service_id: id, value };
      return { workflowId: refundWorkflowId(id), input };
    }
    case 'card_order': {
      // Sometimes it comes without a card, which is provided later.
      const withCard = plan.seed % 4 === 0 ? {} : { card };
      const input = { order: { ...order, installments: 1 }, customer, ...withCard, ...options };
      return { workflowId, input };
    }
    case 'hosted_checkout': {
      const input = { order: { ...order, redirect_url: 'https://shop.example/' }, customer, ...options };
      return { workflowId, input };
    }
    case 'three_d_secure_order':
      return { workflowId, input: { order, customer, ...options } };
    case 'account_validation': {
      const { first_name, last_name, document, bank_code, account } = payee;
      const input = { partner_code: partnerCode, first_name, last_name, document, bank_code, account };
      return { workflowId: `account-validation-${partnerCode}`, input };
    }
  }
}

const payee = {
  first_name: 'Ana',
  last_name: 'Silva',
  document: '52998224725',
  bank_code: '001',
  agency: '0001',
  account: '12345-6',
  account_type: 'checking',
};

function payoutInput(
  { reconciled, sendBefore, validated }: Plan,
  options: object,
  startsAt: number,
): PayoutInput {
  const common = {
    partner_code: partnerCode,
    value,
    ...options,
    ...(reconciled && { reconciled }),
    ...(sendBefore !== null && {
      send_before: new Date(startsAt + (delaysMs[sendBefore] ?? 0)).toISOString(),
    }),
  };
  if (validated) return { ...common, ...payee, method: 'transfer', validate_account: true };
  const { first_name, last_name, document } = payee;
  return { ...common, first_name, last_name, document, method: 'pix', pix: 'ana@example.com' };
}
