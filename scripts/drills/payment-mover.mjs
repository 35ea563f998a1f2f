import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { card } from './requests.mjs';

const longestMs = 180_000;
/** Longer than any drill, in the sandbox's time, which runs twenty times as fast. */
const dayMs = 24 * 3_600_000;
const paths = {
  payout: (code) => `/v1/payouts/${code}`,
  card_order: (code) => `/v1/orders/${code}`,
  hosted_checkout: (code) => `/v1/orders/${code}`,
  three_d_secure_order: (code) => `/v1/orders/${code}`,
  refund: (code) => `/v1/orders/${code}/refund`,
  account_validation: (code) => `/v1/account-validations/${code}`,
};

/** Moves payments of a fleet from stage to stage. Its sandbox moves nothing by itself. */
export class PaymentMover {
  constructor(fleet) {
    this.sandbox = fleet.sandbox;
    /** Its payments have the waiting times of production, unless they name a `poll_scale`. */
    this.payments = fleet.payments;
    this.http = fleet.http;
  }

  /** What HTTP starts waits a fiftieth of the usual times. */
  async post(path, body) {
    const { body: answer, status, text } = await this.http('POST', path, body);
    if (status >= 400) throw new Error(`${path}: ${text}`);
    return answer;
  }

  /** A card in the card store, and one whose card store is gone. */
  storedCard = () => this.post('/v1/cards', card);
  lostCard = () => ({ card_ref: randomUUID(), task_queue: `card-store-${randomUUID()}` });

  /** The next call for it fails, with its effect or without it. */
  failOnce(endpoint, code, effect) {
    this.#fault(endpoint, code, { effect, status: 503, body: '' });
  }

  /** The next call for it is answered so, and has its effect. */
  answerOnce(endpoint, code, body) {
    this.#fault(endpoint, code, { effect: 'done', status: 201, body });
  }

  /** The next call for it is not answered, and has its effect when {@link release} is called. */
  hangOnce(endpoint, code) {
    this.#fault(endpoint, code, { effect: 'late', delay_ms: dayMs });
  }

  /** Calls for it are refused as too many until {@link release} is called: nothing happens by them. */
  holdBack(endpoint, code) {
    this.#fault(endpoint, code, { effect: 'none', status: 429, body: '' }, 1_000_000);
  }

  /** From now on the service answers. */
  release() {
    this.sandbox.clearFaults();
    this.sandbox.hurry();
  }

  #fault(endpoint, partner_code, fault, times = 1) {
    this.sandbox.fault({ endpoint, partner_code, fault, times });
  }

  /** Its identifier at the service, in the ledger's `orders` or `payouts`. */
  idOf(records, code) {
    const [found] = this.sandbox.ledger(code)[records];
    if (found === undefined) throw new Error(`The service has no ${code} in its ${records}`);
    return found.id;
  }

  /** Sets the status at the service, once it has it. */
  async set(records, code, status) {
    const { sandbox } = this;
    await sandbox.until((ledger) => ledger[records].some(({ partner_code: sent }) => sent === code));
    if (records === 'payouts') sandbox.setPayoutStatus(code, status);
    else if (records === 'orders') sandbox.setOrderStatus(code, status);
    else sandbox.setValidationStatus(code, status);
  }

  /** Its state, once that is as wanted. */
  async until(lifecycle, code, isSo, wanted = String(isSo)) {
    const deadline = Date.now() + longestMs;
    for (;;) {
      const { body, text } = await this.http('GET', paths[lifecycle](code));
      if (body?.timeline !== undefined && isSo(body)) return body;
      if (Date.now() > deadline) throw new Error(`${lifecycle} ${code} is not so: ${wanted}: ${text}`);
      await sleep(200);
    }
  }

  reaches(lifecycle, code, ...statuses) {
    return this.until(lifecycle, code, ({ status }) => statuses.includes(status), statuses.join());
  }
}
