import { vi } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
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

/** The whole program before a sandbox, with payments of one OMS that others attack; the ledger says what moved. */
export type AttackedGateway = {
  readonly asOwner: Send;
  /** By another key of the owner’s name. */
  readonly bySecondKey: Send;
  readonly asOther: Send;
  postback(path: string, body: string): Promise<Answer>;
  /** Sends a batch of payouts as a file of that type. */
  upload(type: string, file: string): Promise<Answer>;
  /** The address that the service was given for a payment. */
  postbackPath(partnerCode: string): string;
  paidOrder(): Promise<{ code: string; id: string }>;
  failedPayout(): Promise<string>;
  /** The status of every record that the service has under this code. */
  ledgerOf(partnerCode: string): string[];
  /** How often payouts were made under this code, or codes that begin with it. */
  timesPaid(partnerCode: string): number;
  calls(endpoint: string): number;
  close(): Promise<void>;
};

export async function startAttackedGateway({ pollScale = 0.02 } = {}): Promise<AttackedGateway> {
  const stack = await startDeployment({ isWhole: true, gateway: { pollScale } });
  const { sandbox, postbackKeys } = stack;
  const { url } = stack.gateway;
  const kinds = new Map<string, string>();
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
    postback: (path, body) =>
      call(url, 'POST', path, { key: null, raw: body, headers: { 'content-type': 'application/json' } }),
    upload: (type, file) =>
      call(url, 'POST', `/v1/payout-batches${type === 'application/json' ? '' : '?batch_id=uploaded'}`, {
        key: stack.apiKey,
        raw: file,
        headers: { 'content-type': type },
      }),
    postbackPath: (code) =>
      `/postbacks/${postbackCapability([...postbackKeys], `${kinds.get(code) ?? ''}-${code}`)}`,
    paidOrder: async () => {
      const order = cardOrder();
      const code = order.order.partner_code;
      kinds.set(code, 'order');
      await asOwner('POST', '/v1/orders/card', order);
      await until(`/v1/orders/${code}`, 'waiting_payment');
      sandbox.setOrderStatus(code, 'paid');
      await until(`/v1/orders/${code}`, 'paid');
      return { code, id: sandbox.ledger(code).orders[0]?.id ?? '' };
    },
    failedPayout: async () => {
      const payout = pixPayout();
      kinds.set(payout.partner_code, 'payout');
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
    timesPaid: (code) =>
      sandbox
        .ledger()
        .payouts.filter(({ partner_code: each }) => each.startsWith(code))
        .reduce((times, { times_created }) => times + times_created, 0),
    calls: (endpoint) => sandbox.ledger().calls[endpoint] ?? 0,
    close: async () => {
      await stack.finish();
      await stack.close();
    },
  };
}
