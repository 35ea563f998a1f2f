import { cardOrder, checkout, order, pixPayout } from './requests.mjs';

/** The lifecycles that move money, how each is started, and which call creates it at the service. */
export const lifecycles = {
  payout: { start: '/v1/payouts/pix', path: '/v1/payouts/', id: 'payout-', endpoint: 'POST /v1/payout/pix' },
  card_order: { start: '/v1/orders/card', path: '/v1/orders/', id: 'order-', endpoint: 'POST /v1/order' },
  hosted_checkout: {
    start: '/v1/orders/checkout',
    path: '/v1/orders/',
    id: 'order-',
    endpoint: 'POST /v1/checkout',
  },
  three_d_secure_order: {
    start: '/v1/orders/3ds',
    path: '/v1/orders/',
    id: 'order-',
    endpoint: 'POST /v1/3ds/order',
  },
  refund: { path: '/v1/orders/', id: 'refund-', endpoint: 'PUT /v1/order/{id}/refund' },
};

const described = ['id-absent', 'status-absent', 'id-other'];

/** A call that takes two seconds, so that a kill may well fall into it. */
const slow = { effect: 'done', delay_ms: 40_000 };

/**
 * The faults of a plan as the sandbox has them. What a plan does to the worker itself happens here by itself: the call
 * is slow instead, and the worker is killed at random.
 */
export const faults = {
  none: { effect: 'done' },
  id_absent: 'id-absent',
  status_absent: 'status-absent',
  id_other: 'id-other',
  refused_before: '422',
  refused_after: '503-after',
  unauthorized: '401',
  unauthorized_after: { effect: 'done', status: 401 },
  throttled: '429',
  throttled_after: { effect: 'done', status: 429 },
  not_sent: '401',
  too_late: '429',
  lost_before: 'dropped-before',
  lost_after: 'accepted-then-dropped',
  late_effect: 'late-effect',
  worker_died_before: { effect: 'late', delay_ms: 40_000 },
  worker_died_after: slow,
  worker_died_unmarked: { effect: 'late', delay_ms: 40_000 },
  worker_died_lingering: slow,
  redispatched_before: 'dropped-before',
  redispatched_after: slow,
  never_started: slow,
  lingered: { effect: 'done' },
};

/** Arms what goes wrong with the calls of a payment: of the first attempt, and of those after a retry. */
export function armCalls(sandbox, plan, code, faultOf = faults) {
  const { endpoint } = lifecycles[plan.kind];
  const armed = plan.calls.map((call) => faultOf[asRecognised(call, plan)]);
  for (const fault of armed) arm(sandbox, endpoint, fault, code);
  for (const [at, fault] of armed.slice(1).entries()) {
    if (plan.kind === 'payout') arm(sandbox, endpoint, fault, `${code}-r${String(at + 2)}`);
    if (plan.kind === 'three_d_secure_order') arm(sandbox, 'PUT /v1/3ds/order/{id}', fault, code);
  }
}

/**
 * A stated limit: that a call answered 401 or 429 had its effect after all is seen on the list alone. What is on none, or on
 * one that lags, has calls here that are answered so and did nothing.
 */
function asRecognised(call, { kind, listing }) {
  const isSeen = kind === 'payout' && listing === 'at_once';
  if (call === 'unauthorized_after' && !isSeen) return 'unauthorized';
  if (call === 'throttled_after' && !isSeen) return 'throttled';
  return call;
}

/** Arms what makes reads, the list and sends fail for a while. */
export function armOutages(sandbox, { kind, outages }, code) {
  const down = { effect: 'none', status: 503 };
  const read = kind === 'payout' ? 'GET /v1/payout/{id}' : 'GET /v1/order/{id}';
  for (const { lasts, of } of outages) {
    const times = 1 + (lasts % 4);
    if (of === 'reads') arm(sandbox, read, down, code, times);
    if (of === 'list' && kind === 'payout') arm(sandbox, 'GET /v1/payouts', down, undefined, times);
    if (of === 'sends') arm(sandbox, lifecycles[kind].endpoint, '429', code, times);
  }
}

function arm(sandbox, endpoint, fault, partner_code, times = 1) {
  const armed = described.includes(fault) ? { reshape: [fault] } : fault;
  sandbox.fault({ endpoint, fault: armed, partner_code, times });
}

/** What starts a payment by its plan. */
export function requestOf(plan, code) {
  const { kind, sendBefore, watchDays } = plan;
  const fields = watchDays === null ? {} : { watch_days: watchDays };
  const tags = tagsOf(plan);
  switch (kind) {
    case 'payout': {
      const before = sendBefore === null ? {} : { send_before: inMs(1_000 + sendBefore * 500) };
      return pixPayout(code, { tags, ...fields, ...before });
    }
    case 'card_order':
    case 'refund':
      return cardOrder(code, { tags, ...fields });
    case 'hosted_checkout':
      return checkout(code, { tags, ...fields });
    case 'three_d_secure_order':
      return order(code, { tags, ...fields });
  }
}

/** The scenarios of the sandbox by which it lists and shows a payment as its plan has it. */
export function tagsOf({ kind, listing, shape }) {
  if (kind === 'refund') return [];
  return [
    ...(shape.netValue ? ['read-value-other-always'] : []),
    ...(shape.showsCode ? ['read-with-partner-code-always'] : []),
    ...(kind === 'payout' && listing !== 'at_once' ? ['listed-late'] : []),
  ];
}

const inMs = (ms) => new Date(Date.now() + ms).toISOString();

/** The delays of a plan, of which days become a second or two. */
export const shortened = (delay) => delay * 100;
