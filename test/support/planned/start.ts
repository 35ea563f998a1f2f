import { tagsOf } from '../../../scripts/drills/torture-plan.mjs';
import type { PaymentState } from '../../../src/contract/state.js';
import { delaysMs, type Plan } from '../../simulation/plan.js';
import { cardOrdersOn } from '../lifecycles/card-orders.js';
import { hostedCheckoutsOn } from '../lifecycles/hosted-checkouts.js';
import { payoutsOn } from '../lifecycles/payouts.js';
import { refundsOn } from '../lifecycles/refunds.js';
import { threeDSecureOrdersOn } from '../lifecycles/three-d-secure-orders.js';
import { statusIs, type Payment } from '../payment.js';
import type { TestStack } from '../test-stack.js';

/** The payment of a plan, begun by {@link startPlanned}. */
export type Begun = { readonly payment: Payment<PaymentState>; readonly anotherId: string };

/** Starts what a plan is of, beside another payment when its plan names one; `arm` is called right before. */
export async function startPlanned(
  stack: TestStack,
  plan: Plan,
  code: string,
  arm: () => void,
): Promise<Begun> {
  const anotherId = namesAnother(plan) ? await startAnother(stack, plan, `${code}-another`) : '';
  const start = await readyToStart(stack, plan, code);
  arm();
  return { payment: await start(), anotherId };
}

async function readyToStart(
  stack: TestStack,
  plan: Plan,
  code: string,
): Promise<() => Promise<Payment<PaymentState>>> {
  const tags = tagsOf(plan).join('+');
  const fields = plan.watchDays === null ? {} : { watch_days: plan.watchDays };
  switch (plan.kind) {
    case 'payout': {
      const before = plan.sendBefore === null ? {} : { send_before: await inMs(stack, plan.sendBefore) };
      return () => payoutsOn(stack).start(code, tags, { ...fields, ...before });
    }
    case 'card_order':
      return () => cardOrdersOn(stack).start(code, tags, fields);
    case 'hosted_checkout':
      return () => hostedCheckoutsOn(stack).start(code, tags, fields);
    case 'three_d_secure_order':
      return () => threeDSecureOrdersOn(stack).start(code, tags, fields);
    case 'refund': {
      const serviceId = await refundsOn(stack).paidOrder(code);
      return () => refundsOn(stack).start(code, serviceId);
    }
    case 'account_validation':
      throw new Error('An account validation moves no money.');
  }
}

function namesAnother({ happenings }: Plan): boolean {
  return happenings.some(
    ({ what }) => what.do === 'resolve_as_another' || (what.do === 'postback' && what.names === 'another'),
  );
}

async function startAnother(stack: TestStack, { kind }: Plan, code: string): Promise<string> {
  const [another, status] =
    kind === 'payout'
      ? [await payoutsOn(stack).start(code, '', { watch_days: 0 }), 'claimed']
      : [await cardOrdersOn(stack).start(code, '', { watch_days: 0 }), 'waiting_payment'];
  const { service_id: id } = await (another as Payment<PaymentState>).until(statusIs(status));
  return id ?? '';
}

async function inMs({ env }: TestStack, delay: number): Promise<string> {
  return new Date((await env.currentTimeMs()) + (delaysMs[delay] ?? 0)).toISOString();
}
