import { afterAll, vi } from 'vitest';
import { call, otherOmsKey } from '../../gateway/call.js';
import type { Answer } from '../../gateway/call.js';
import { cardOrder, pixPayout } from '../../gateway/requests.js';
import { startDeployment } from '../../support/deployment.js';
import { waiting } from '../../support/waiting.js';

type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

/**
 * The whole program before a sandbox, with payments of one OMS that others attack; the ledger says what moved. For all
 * tests of the file that asks for it at its top.
 */
export type AttackedGateway = {
  readonly asOwner: Send;
  /** By another key of the owner’s name. */
  readonly bySecondKey: Send;
  readonly asOther: Send;
  paidOrder(): Promise<{ code: string; id: string }>;
  failedPayout(): Promise<string>;
  /** The status of every record that the service has under this code. */
  ledgerOf(partnerCode: string): string[];
  calls(endpoint: string): number;
};

export async function attackedGatewayForAllTests({ pollScale = 0.02 } = {}): Promise<AttackedGateway> {
  const stack = await startDeployment({ isWhole: true, gateway: { pollScale } });
  afterAll(async () => {
    await stack.finish();
    await stack.close();
  });
  const { sandbox } = stack;
  const { url } = stack.gateway;
  const as =
    (key: string): Send =>
    (method, path, body, headers = {}) =>
      call(url, method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  const asOwner = as(stack.apiKey);
  const until = async (path: string, status: string) => {
    await vi.waitUntil(async () => {
      const options = { key: stack.apiKey, headers: { prefer: 'wait=10' } };
      const { body } = await call(url, 'GET', `${path}?until=${status}`, options);
      return body.status === status;
    }, waiting);
  };
  return {
    asOwner,
    bySecondKey: as(stack.secondKey),
    asOther: as(otherOmsKey),
    paidOrder: async () => {
      const order = cardOrder();
      const code = order.order.partner_code;
      await asOwner('POST', '/v1/orders/card', order);
      await until(`/v1/orders/${code}`, 'waiting_payment');
      sandbox.setOrderStatus(code, 'paid');
      await until(`/v1/orders/${code}`, 'paid');
      return { code, id: sandbox.ledger(code).orders[0]?.id ?? '' };
    },
    failedPayout: async () => {
      const payout = pixPayout();
      await asOwner('POST', '/v1/payouts/pix', payout);
      await until(`/v1/payouts/${payout.partner_code}`, 'claimed');
      sandbox.setPayoutStatus(payout.partner_code, 'error');
      await until(`/v1/payouts/${payout.partner_code}`, 'error');
      return payout.partner_code;
    },
    ledgerOf: (code) => {
      const { orders, payouts } = sandbox.ledger();
      return [...orders, ...payouts]
        .filter(({ partner_code: each }) => each.startsWith(code))
        .map(({ status }) => status);
    },
    calls: (endpoint) => sandbox.ledger().calls[endpoint] ?? 0,
  };
}
