import { Clock } from './clock.js';
import type { EndpointName } from './endpoints.js';
import { Faults } from './faults.js';
import { Ids } from './ids.js';
import { readLedger, type Ledger } from './ledger.js';
import { Lives, type Progress } from './lives.js';
import { Orders } from './orders.js';
import { Payouts } from './payouts.js';
import { Postbacks } from './postbacks.js';
import { Tokens } from './tokens.js';
import { Validations } from './validations.js';

export type ServiceOptions = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenMinutes: number;
  readonly timeScale: number;
  readonly progress: Progress;
  readonly now?: (() => number) | undefined;
};

type Waiter = {
  readonly holds: (ledger: Ledger) => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

/** All state of one sandbox. */
export class Service {
  readonly options: ServiceOptions;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly faults = new Faults();
  readonly postbacks: Postbacks;
  readonly lives: Lives;
  readonly orders: Orders;
  readonly payouts: Payouts;
  readonly validations: Validations;
  readonly ids = new Ids();
  readonly calls = new Map<EndpointName, number>();
  onChange: (() => void) | undefined;
  #waiters: Waiter[] = [];
  #checkIsDue = false;

  constructor(options: ServiceOptions) {
    const changed = () => this.#changed();
    const { ids } = this;
    this.options = options;
    this.clock = new Clock(options.timeScale, options.now);
    this.tokens = new Tokens(options.clientId, options.clientSecret, options.tokenMinutes * 60_000);
    this.postbacks = new Postbacks(this.clock, changed);
    this.lives = new Lives(this.clock, this.postbacks, options.progress, changed);
    this.orders = new Orders(changed, ids, this.lives);
    this.payouts = new Payouts(changed, ids, this.lives, this.clock);
    this.validations = new Validations(changed, ids, this.lives);
  }

  ledger(partnerCode?: string): Ledger {
    return readLedger(this, partnerCode);
  }

  count(endpoint: EndpointName): void {
    this.calls.set(endpoint, (this.calls.get(endpoint) ?? 0) + 1);
    this.#changed();
  }

  /** Resolves as soon as the ledger is as wanted; rejects when the sandbox closes before. */
  until(holds: (ledger: Ledger) => boolean): Promise<void> {
    if (holds(this.ledger())) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ holds, resolve, reject }));
  }

  /** One look at the ledger for all changes of a turn: it is read whole, and changes come by the hundred. */
  #changed(): void {
    if (this.#checkIsDue || (this.#waiters.length === 0 && this.onChange === undefined)) return;
    this.#checkIsDue = true;
    setImmediate(() => {
      this.#checkIsDue = false;
      this.#checkWaiters();
    });
  }

  #checkWaiters(): void {
    this.onChange?.();
    if (this.#waiters.length === 0) return;
    const ledger = this.ledger();
    this.#waiters = this.#waiters.filter(({ holds, resolve, reject }) => {
      try {
        if (!holds(ledger)) return true;
        resolve();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
      return false;
    });
  }

  /** Forgets everything but the token. */
  reset(): void {
    this.clock.stop();
    this.faults.clear();
    this.postbacks.reset();
    this.orders.clear();
    this.payouts.clear();
    this.validations.clear();
    this.calls.clear();
    this.#changed();
  }

  async close(): Promise<void> {
    this.clock.end();
    await this.postbacks.close();
    const closed = new Error('The sandbox was closed before its ledger was as awaited.');
    for (const { reject } of this.#waiters) reject(closed);
    this.#waiters = [];
  }
}
