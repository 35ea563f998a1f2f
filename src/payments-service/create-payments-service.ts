import type { AfterThrottling } from '../domain/outcome-classes.js';
import { parseBaseUrl } from './base-url.js';
import { deniedByStatus, provenByAnswer, readCreation } from './creation.js';
import type { HttpRequest } from './exchange.js';
import { interpret } from './interpret.js';
import { callLimits, type CallLimits } from './limits.js';
import type { CreatingCall, PaymentsService, ReadingCall } from './payments-service.js';
import type { CardFields, PayoutQuery } from './requests.js';
import type { Creation, ServiceResult } from './result.js';
import { createTransport } from './transport.js';
import { provenOfUnlisted } from './unlisted.js';
import { readBrowserToken, readIssuedToken, readOrderRecord, readPayoutList, readRecord } from './wire.js';

export type PaymentsServiceOptions = {
  /** https, or http on loopback. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  limits?: CallLimits;
  /** What follows a 429 to the creation of an order, a checkout or a validation; `send_again` by default. */
  after429?: AfterThrottling | undefined;
};

/**
 * The client of the service.
 *
 * @throws Error when the base URL is not usable
 */
export function createPaymentsService(options: PaymentsServiceOptions): PaymentsService {
  const { origin, pathPrefix } = parseBaseUrl(options.baseUrl);
  const transport = createTransport(origin, options.limits ?? callLimits);

  const request = (
    method: HttpRequest['method'],
    path: string,
    authorization: string,
    body?: object,
  ): HttpRequest => ({
    method,
    path: pathPrefix + path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

  const create = async (
    method: 'POST' | 'PUT',
    path: string,
    { token, tokenIsNew, refusal }: CreatingCall,
    body?: object,
    card?: CardFields,
  ): Promise<ServiceResult<Creation>> => {
    const secrets = [token, ...(card === undefined ? [] : [card.number, card.cvv])];
    const sent = await transport.send({ ...request(method, path, `Bearer ${token}`, body), refusal });
    return interpret(sent, { tokenIsNew, secrets, read: (answer) => readCreation(answer, secrets) });
  };

  const read = async <Value>(
    path: string,
    { token }: ReadingCall,
    readBody: (body: unknown) => Value | undefined,
  ): Promise<ServiceResult<Value>> => {
    const answered = await transport.read(request('GET', path, `Bearer ${token}`));
    return interpret(answered, { tokenIsNew: false, secrets: [token], read: readBody });
  };

  const readOrder: PaymentsService['readOrder'] = (id, call) =>
    read(`/v1/order/${segment(id)}`, call, readOrderRecord);

  const listPayouts: PaymentsService['listPayouts'] = (query, call) =>
    read(`/v1/payouts?${queryText(query)}`, call, readPayoutList);

  /** Of something that no list shows. A further 401 says no more than the first: both are confirmed by reads. */
  const createUnlisted: typeof create = async (method, path, call, ...sent) => {
    const answer = await create(method, path, { ...call, tokenIsNew: false }, ...sent);
    // What a token may read differs: one that is refused for everything is refused.
    const reads = [() => readOrder('0', call), () => listPayouts({ page: 1, per_page: 1 }, call)];
    return provenOfUnlisted(answer, reads, options.after429 ?? 'send_again');
  };

  return {
    async authenticate() {
      const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
      const sent = await transport.send(request('POST', '/v1/auth', `Basic ${credentials}`));
      const secrets = [credentials, options.clientSecret];
      return interpret(sent, { tokenIsNew: false, secrets, read: readIssuedToken });
    },
    createCardOrder: async (body, call) =>
      provenByAnswer(await createUnlisted('POST', '/v1/order', call, body, body.credit_card), 'must be'),
    readOrder,
    requestRefund: async (id, call) =>
      provenByAnswer(deniedByStatus(await create('PUT', `/v1/order/${segment(id)}/refund`, call)), 'nothing'),
    createCheckout: async (body, call) =>
      provenByAnswer(await createUnlisted('POST', '/v1/checkout', call, body), 'is'),
    createThreeDSecureOrder: async (body, call) =>
      provenByAnswer(await createUnlisted('POST', '/v1/3ds/order', call, body), 'is'),
    completeThreeDSecureOrder: async (id, body, call) =>
      provenByAnswer(
        await createUnlisted('PUT', `/v1/3ds/order/${segment(id)}`, call, body, body.credit_card),
        'nothing',
      ),
    readThreeDSecureToken: (call) => read('/v1/3ds/token', call, readBrowserToken),
    createTransferPayout: async (body, call) =>
      provenByAnswer(await create('POST', '/v1/payout/transfer', call, body), 'must be'),
    createPixPayout: async (body, call) =>
      provenByAnswer(await create('POST', '/v1/payout/pix', call, body), 'must be'),
    readPayout: (id, call) => read(`/v1/payout/${segment(id)}`, call, readRecord),
    listPayouts,
    validateAccount: (body, call) => createUnlisted('POST', '/v1/account/validate', call, body),
    close: () => transport.close(),
  };
}

/** An id as one segment of a path; dots alone would climb. */
function segment(id: string): string {
  return encodeURIComponent(id).replaceAll(/^\.+$/g, (dots) => '%2E'.repeat(dots.length));
}

function queryText(query: PayoutQuery): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text.set(name, String(value));
  }
  return text.toString();
}
