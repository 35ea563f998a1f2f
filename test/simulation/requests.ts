import { attemptPartnerCode } from '../../src/domain/ids.js';
import { asRecord } from '../../src/domain/records.js';
import type { Order } from '../../src/dev/sandbox/orders.js';
import type { CreatingCalls } from '../../workflows/shared/context.js';
import type { Request } from './simulated-service.js';

const usualPayout = [
  { after: 2, status: 'processing' },
  { after: 4, status: 'done' },
];
const usualOrder = [
  { after: 4, status: 'paid' },
  { after: 12, status: 'compensated' },
];

export function payoutRequest(input: Parameters<CreatingCalls['createPixPayout']>[0]): Request {
  const code = attemptPartnerCode(codeOf(input.payout), input.attempt);
  return {
    code,
    payout: input,
    effect: (service) => {
      const created = service.createPayout(code);
      service.live(created, usualPayout);
      return created;
    },
  };
}

export function orderRequest(kind: Order['kind'], input: unknown): Request {
  const code = codeOf(asRecord(input).order);
  return {
    code,
    effect: (service) => {
      const created = service.createOrder(kind, code);
      // A 3D Secure order lives from its completion on.
      if (kind !== '3ds') service.live(created, usualOrder);
      return created;
    },
  };
}

export function refundRequest(id: string): Request {
  return {
    code: `refund of ${id}`,
    effect: (service) => {
      const order = service.sandbox.orders.byId(id);
      if (order === undefined || !['paid', 'compensated', 'refunded'].includes(order.status))
        return undefined;
      service.sandbox.orders.refund(order);
      service.live(order, [{ after: 4, status: 'refunded' }]);
      return order;
    },
  };
}

export function completionRequest(id: string): Request {
  return {
    code: `completion of ${id}`,
    effect: (service) => {
      const order = service.sandbox.orders.byId(id);
      if (order === undefined) return undefined;
      service.sandbox.orders.submit(order, { first: order.status, then: [] });
      service.live(order, usualOrder);
      return order;
    },
  };
}

export function validationRequest(input: unknown): Request {
  const code = codeOf(input);
  return {
    code,
    effect: (service) => {
      const created = service.createValidation(code);
      service.live(created, [{ after: 4, status: 'valid' }]);
      return created;
    },
  };
}

function codeOf(value: unknown): string {
  return String(asRecord(value).partner_code);
}
