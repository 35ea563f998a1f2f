import { Agent, request } from 'undici';
import type { Clock } from './clock.js';
import type { Tracked } from './tracked.js';

/** The document shows no payload: this one is our assumption. */
export type PostbackBody = {
  readonly id: string;
  readonly status: string;
  readonly partner_code: string;
  readonly type: Tracked['type'];
};

export type PostbackCounts = { sent: number; delivered: number; given_up: number };

const waitsBeforeAttemptsMs = [0, 1_000, 5_000, 25_000, 125_000];
const answerTimeoutMs = 10_000;
const lateMs = 20_000;
const heldMs = 5_000;

/** Posts every change to notification_url, and tries again on anything but a 2xx. */
export class Postbacks {
  mode: 'on' | 'off' = 'on';
  readonly counts: PostbackCounts = { sent: 0, delivered: 0, given_up: 0 };
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #agent = new Agent({ connections: 64, pipelining: 1 });
  readonly #held = new Map<string, () => void>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Reports the status that a record has just taken, in the style of its plan. */
  announce(record: Tracked): void {
    if (this.mode === 'off' || record.plan.postbacks === 'silent') return;
    const sending = this.#announce(record).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  /** Reports a status and waits for the receiver, so that it knows before the caller does. */
  async announceFirst(record: Tracked): Promise<void> {
    if (this.mode === 'on') await this.#post(record.notificationUrl, bodyOf(record));
  }

  reset(): void {
    this.mode = 'on';
    this.#held.clear();
    Object.assign(this.counts, { sent: 0, delivered: 0, given_up: 0 });
  }

  /** To be called with the clock ended: no attempt is made any more. */
  async close(): Promise<void> {
    this.mode = 'off';
    await this.#agent.destroy();
    await Promise.all(this.#underWay);
  }

  async #announce(record: Tracked): Promise<void> {
    const body = bodyOf(record);
    const deliver = () => this.#deliver(record.notificationUrl, body);
    switch (record.plan.postbacks) {
      case 'late':
        if (await this.#clock.wait(lateMs)) await deliver();
        return;
      case 'duplicated':
        await Promise.all([deliver(), deliver(), deliver()]);
        return;
      case 'reordered':
        await this.#overtaken(record.id, deliver);
        return;
      case 'lying':
        await this.#deliver(record.notificationUrl, {
          ...body,
          status: body.status === 'error' ? 'done' : 'error',
        });
        return;
      default:
        await deliver();
    }
  }

  /** Holds every first postback back until the next one has been delivered, or for a while. */
  async #overtaken(id: string, deliver: () => Promise<void>): Promise<void> {
    const release = this.#held.get(id);
    if (release !== undefined) {
      this.#held.delete(id);
      await deliver();
      release();
      return;
    }
    const overtaken = new Promise<boolean>((resolve) => this.#held.set(id, () => resolve(true)));
    const goes = await Promise.race([overtaken, this.#clock.wait(heldMs)]);
    this.#held.delete(id);
    if (goes) await deliver();
  }

  async #deliver(url: string, body: PostbackBody): Promise<void> {
    for (const waitMs of waitsBeforeAttemptsMs) {
      if (!(await this.#clock.wait(waitMs))) return;
      if (this.mode === 'off') return;
      if (await this.#post(url, body)) return;
    }
    this.counts.given_up += 1;
    this.#changed();
  }

  async #post(url: string, body: PostbackBody): Promise<boolean> {
    this.counts.sent += 1;
    const delivered = await this.#accepted(url, body);
    if (delivered) this.counts.delivered += 1;
    this.#changed();
    return delivered;
  }

  async #accepted(url: string, body: PostbackBody): Promise<boolean> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: this.#agent,
        headersTimeout: answerTimeoutMs,
        bodyTimeout: answerTimeoutMs,
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }
}

function bodyOf({ id, status, partnerCode, type }: Tracked): PostbackBody {
  return { id, status, partner_code: partnerCode, type };
}
