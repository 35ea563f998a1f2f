import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { paymentState } from '../../contract/state.js';
import type { PaymentState } from '../../contract/state.js';

/** So that a demo ends: a payment takes seconds, a minute on a busy machine. */
const longestLifeMs = 180_000;
const betweenLooksMs = 150;

export type Answer = { readonly status: number; readonly body: unknown };

/** The order-management service of the demo: it knows the gateway's HTTP API and nothing else. */
export class Oms {
  readonly #reported = new Map<string, number>();

  constructor(
    private readonly gatewayUrl: string,
    private readonly apiKey: string,
    private readonly report: (state: PaymentState, event: string) => void,
  ) {}

  async post(path: string, body: object): Promise<Answer> {
    return this.#call('POST', path, body);
  }

  async get(path: string): Promise<Answer> {
    return this.#call('GET', path);
  }

  /** Follows a payment until it is as wanted, reporting each line of its timeline, and returns its state then. */
  async follow(path: string, wanted: (state: PaymentState) => boolean): Promise<PaymentState> {
    const deadline = Date.now() + longestLifeMs;
    for (;;) {
      const state = await this.state(path);
      this.#tellNews(state);
      if (wanted(state) || Date.now() > deadline) return state;
      await sleep(betweenLooksMs);
    }
  }

  async state(path: string): Promise<PaymentState> {
    const { status, body } = await this.get(path);
    if (status !== 200) throw new Error(`GET ${path} was answered ${String(status)}.`);
    return paymentState.parse(body);
  }

  #tellNews(state: PaymentState): void {
    const reported = this.#reported.get(state.workflow_id) ?? 0;
    for (const { what, by } of state.timeline.slice(reported)) {
      this.report(state, by === undefined ? what : `${what} (by ${by})`);
    }
    this.#reported.set(state.workflow_id, state.timeline.length);
  }

  /** Repeats what is answered 503: that is always safe. */
  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const deadline = Date.now() + longestLifeMs;
    for (;;) {
      const answer = await this.#callOnce(method, path, body);
      if (answer.status !== 503 || Date.now() > deadline) return answer;
      await sleep(betweenLooksMs);
    }
  }

  async #callOnce(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${this.gatewayUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: z.unknown().parse(await answer.json()) };
  }
}
