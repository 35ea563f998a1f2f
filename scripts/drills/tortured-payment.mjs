import { setTimeout as sleep } from 'node:timers/promises';
import { payoutOf } from './ledger-checks.mjs';
import { endOf, isFinal, isSettled, latestOf } from './plan-end.mjs';
import { cardOrder } from './requests.mjs';
import { commandOf, reset } from './torture-operator.mjs';
import { armCalls, armOutages, lifecycles, requestOf, shortened } from './torture-plan.mjs';

export const tortureKinds = Object.keys(lifecycles);

const longestMs = 25_000;

/** One payment that lives by a plan while processes are killed around it. */
export class TorturedPayment {
  taken = 0;
  refused = 0;
  resets = 0;
  /** Retries that were not refused for certain. */
  retriesTaken = 0;
  acknowledged = false;
  isSettled = false;
  isFinal = false;
  needsOperator = false;
  #lived = new Set();

  constructor({ code, fleet, plan }) {
    Object.assign(this, { code, fleet, plan, ...lifecycles[plan.kind] });
    this.isRefund = plan.kind === 'refund';
    this.orderPath = this.path + code;
    this.path = this.isRefund ? `${this.orderPath}/refund` : this.orderPath;
    this.workflowId = this.id + code;
  }

  /** Resolves when all that its plan has happen has happened. */
  async live() {
    if (this.isRefund && !(await this.#settledOrder())) return;
    armCalls(this.fleet.sandbox, this.plan, this.code);
    armOutages(this.fleet.sandbox, this.plan, this.code);
    const started = [this.start ?? this.path, this.isRefund ? {} : requestOf(this.plan, this.code)];
    this.acknowledged = [200, 201, 202].includes((await this.#answered('POST', ...started))?.status);
    if (!this.acknowledged) return;
    const living = this.#liveRecords();
    for (const happening of this.plan.happenings) await this.#happen(happening);
    await living;
  }

  /** The order that is to be refunded. */
  async #settledOrder() {
    await this.#answered('POST', '/v1/orders/card', cardOrder(this.code));
    const deadline = Date.now() + longestMs;
    while (Date.now() < deadline) {
      const [order] = this.records().orders;
      if (order?.status === 'waiting_payment') this.fleet.sandbox.setOrderStatus(this.code, 'compensated');
      const answer = await this.#ask('GET', this.orderPath);
      if (answer?.body?.status === 'compensated') {
        this.workflowId = this.id + answer.body.service_id;
        return true;
      }
      await sleep(300);
    }
    return false;
  }

  /** What the service has of it. */
  records() {
    const { orders, payouts } = this.fleet.sandbox.ledger();
    return {
      orders: orders.filter(({ partner_code: code }) => code === this.code),
      payouts: payouts.filter(({ partner_code: code }) => payoutOf(code) === this.code),
    };
  }

  latestRecord() {
    return latestOf(this.records());
  }

  anotherRecord() {
    const { orders, payouts } = this.fleet.sandbox.ledger();
    const others = this.plan.kind === 'payout' ? payouts : orders;
    return others.find(({ partner_code: code }) => payoutOf(code) !== this.code);
  }

  /** Ends what the service has under way, and looks whether the payment has come to its end as well. */
  async settle() {
    if (!this.acknowledged) this.isSettled = true;
    if (this.isSettled) return;
    const { kind } = this.plan;
    const record = this.latestRecord();
    const end = record && endOf(kind, record);
    if (end !== undefined) this.#set(record.partner_code, end);
    await this.#read();
    if (this.state === undefined) return;
    this.needsOperator = this.state.attention !== null;
    this.isFinal = isFinal(kind, this.state);
    this.isSettled = isSettled(kind, this.state, record);
  }

  /** The service changes the status of each record as the plan has it: of a refund or a 3D Secure order once it is asked. */
  async #liveRecords() {
    const deadline = Date.now() + 6_000;
    while (Date.now() < deadline) {
      const { orders, payouts } = this.records();
      for (const [index, record] of [...orders, ...payouts].entries()) {
        const isAsked =
          (!this.isRefund || record.refunds_requested > 0) &&
          (this.plan.kind !== 'three_d_secure_order' || record.times_submitted > 0);
        if (!isAsked || this.#lived.has(record.id)) continue;
        this.#lived.add(record.id);
        void this.#change(record.partner_code, this.plan.lives[index] ?? []);
      }
      await sleep(200);
    }
  }

  async #change(code, life) {
    for (const { after, status } of life) {
      await sleep(shortened(after));
      this.#set(code, status);
    }
  }

  #set(code, status) {
    const { sandbox } = this.fleet;
    if (this.plan.kind === 'payout') sandbox.setPayoutStatus(code, status);
    else sandbox.setOrderStatus(code, status);
  }

  #signal(name, message) {
    return this.#tried(() => this.fleet.client.workflow.getHandle(this.workflowId).signal(name, message));
  }

  async #happen({ what, when }) {
    if ('after' in when) await sleep(shortened(when.after));
    else if ('step' in when) await sleep(when.step * 150);
    else await this.#asked(shortened(when.asked) / 2);
    const record = this.latestRecord();
    switch (what.do) {
      case 'hint':
        return this.#signal('statusHint', { source: 'torture' });
      case 'shared':
        return this.#signal('identifierShared', {
          service_id: this.state?.service_id ?? 'none',
          workflow_id: 'another',
        });
      case 'cancel':
        return this.#tried(() => this.fleet.client.workflow.getHandle(this.workflowId).cancel());
      case 'reset':
        if (await this.#tried(() => reset(this.fleet, this.workflowId, what.to))) this.resets += 1;
        return;
      case 'restore':
        // By `npm run drill:loss`.
        return;
      case 'postback':
        return this.#postback(what.names, record);
      case 'status':
        if (record !== undefined) this.#set(record.partner_code, what.status);
        return;
      default:
        return this.#command(what.do);
    }
  }

  async #asked(delayMs) {
    const deadline = Date.now() + 5_000;
    while (Date.now() < deadline) {
      await this.#read();
      if ((this.state?.attention ?? null) !== null) return sleep(delayMs);
      await sleep(400);
    }
  }

  async #command(action) {
    // An acknowledgement names what is shown now.
    await this.#read();
    const command = commandOf(action, this);
    if (command === undefined) return;
    const answer = await this.#ask('POST', ...command);
    const isRefused = answer !== undefined && answer.status >= 400 && answer.status < 500;
    if (isRefused) this.refused += 1;
    else this.taken += 1;
    if (!isRefused && action.startsWith('retry')) this.retriesTaken += 1;
  }

  /** To the address that the service was given, with what anybody could have written. */
  async #postback(names, record) {
    const { orders, payouts } = this.fleet.sandbox.snapshot();
    const own = [...orders, ...payouts].find(({ record: { partnerCode } }) => partnerCode === this.code);
    if (own === undefined) return;
    const named = names === 'it' ? record : names === 'another' ? this.anotherRecord() : undefined;
    const body = named === undefined ? 'not JSON' : JSON.stringify({ id: named.id, status: named.status });
    await this.#tried(() => fetch(own.record.notificationUrl, { method: 'POST', body }));
  }

  async #read() {
    const answer = await this.#ask('GET', this.path);
    this.lastRead = answer?.text;
    if (answer?.status === 200) this.state = answer.body;
  }

  /** Whether it could be done; what a killed process does not take is not taken. */
  async #tried(work) {
    return work().then(
      () => true,
      () => false,
    );
  }

  /** As an OMS does: the same request again until somebody answers. */
  async #answered(...request) {
    const deadline = Date.now() + longestMs;
    for (;;) {
      const answer = await this.#ask(...request);
      if ((answer !== undefined && answer.status < 500) || Date.now() > deadline) return answer;
      await sleep(300);
    }
  }

  #ask(method, path, body) {
    return this.fleet.http(method, path, body).catch(() => undefined);
  }
}
