import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';

/** Card data as it waits here: the service's credit card object. */
export type StoredCard = { holder: string; number: string; cvv: string; due_date: string; brand: string };

/** How many cards wait at most, how many of one API key, and for how long. */
export type CardStoreLimits = { maxCards: number; maxCardsPerKey?: number; lifeMs: number };

export const cardStoreLimits: CardStoreLimits = {
  maxCards: 10_000,
  maxCardsPerKey: 2_500,
  lifeMs: 10 * 60_000,
};

/** Where a card waits; the shape of CardReference in the contract. */
export type CardStoreTicket = { card_ref: string; task_queue: string; expires_at: string };

/** The use of one card by one call, which must not look at the card afterwards. Exactly one of `giveBack` and `burn` ends it; later calls do nothing. */
export type CardLease = {
  readonly card: StoredCard;
  /** The call certainly did nothing: the card waits on, within its life. */
  giveBack(): void;
  /** The card may have been used: it is gone. */
  burn(): void;
};

/** Why the card store takes no card now. */
export class CardStoreRefusal extends Error {
  override name = 'CardStoreRefusal';
}

/** One API key has put in as many cards as it may; others still can. */
export class CardQuotaExceeded extends CardStoreRefusal {
  override name = 'CardQuotaExceeded';
}

/** By the names of API keys: whose the payment is, null when no gateway started it; and who gave it the card. */
export type CardUser = { readonly owner: string | null; readonly givenBy?: string | null };

type Entry = { card: StoredCard; key: string; expiresAtMs: number; timer: NodeJS.Timeout };

/**
 * Cards in the memory of one process, for seconds: never written, never shown, gone with the process. Bounded in
 * number and life. Nothing of a card can be enumerated, inspected or serialised from outside.
 */
export class CardStore {
  readonly #waiting = new Map<string, Entry>();
  readonly #leased = new Set<string>();
  /** Until when a card that may have been used is remembered, the oldest first. */
  readonly #usedUntilMs = new Map<string, number>();
  /** How many cards are here of each API key, those out on a lease included. */
  readonly #ofKey = new Map<string, number>();
  readonly #limits: CardStoreLimits;
  readonly #taskQueue: string;
  readonly #drained: (() => void)[] = [];
  #taking = true;
  #closed = false;

  constructor(taskQueue: string, limits: CardStoreLimits = cardStoreLimits) {
    this.#taskQueue = taskQueue;
    this.#limits = limits;
  }

  /** The task queue of the worker that serves this card store. */
  get taskQueue(): string {
    return this.#taskQueue;
  }

  /** How many cards are here, those out on a lease included. */
  get held(): number {
    return this.#waiting.size + this.#leased.size;
  }

  /**
   * Takes a card.
   *
   * @param key the name of the API key that it came with
   * @throws CardStoreRefusal when the card store is full or closing, CardQuotaExceeded when it has enough of that key; nothing was kept
   */
  put(card: StoredCard, key = ''): CardStoreTicket {
    if (!this.#taking)
      throw new CardStoreRefusal('This gateway is stopping and takes no more cards. Send it again.');
    if (this.held >= this.#limits.maxCards) {
      throw new CardStoreRefusal(
        'Too many cards are waiting here. Nothing was kept; send it again in a while.',
      );
    }
    if (this.#countOf(key) >= (this.#limits.maxCardsPerKey ?? Infinity)) {
      throw new CardQuotaExceeded(
        'Too many cards of this API key are waiting here. Nothing was kept; send it again when some of them are used up.',
      );
    }
    const cardRef = randomUUID();
    const expiresAtMs = Date.now() + this.#limits.lifeMs;
    this.#keep(cardRef, { card: { ...card }, key, expiresAtMs });
    return {
      card_ref: cardRef,
      task_queue: this.#taskQueue,
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }

  /**
   * Takes the card out for one call; undefined when it is not, or no longer, here, out already, or of an API key that
   * neither owns the payment nor gave it this card.
   */
  lease(cardRef: string, { owner, givenBy }: CardUser = { owner: null }): CardLease | undefined {
    const entry = this.#waiting.get(cardRef);
    if (entry !== undefined && owner !== null && ![owner, givenBy].includes(entry.key)) return undefined;
    if (entry === undefined || entry.expiresAtMs <= Date.now()) {
      this.#forget(cardRef);
      return undefined;
    }
    this.#forget(cardRef);
    this.#leased.add(cardRef);
    this.#count(entry.key, 1);
    return new Lease(entry.card, (givenBack) => {
      this.#leased.delete(cardRef);
      this.#count(entry.key, -1);
      if (givenBack && !this.#closed) this.#keep(cardRef, entry);
      if (!givenBack) this.#rememberUsed(cardRef);
      this.#settle();
    });
  }

  /**
   * Whether a call has, or may have, used this card within the life of a card, or is about to. A Temporal that was
   * restored sends the same task again, and this memory is then all that knows of the call: it answers for every payment,
   * whoever gave it the card.
   */
  mayHaveBeenUsed(cardRef: string): boolean {
    return this.#leased.has(cardRef) || (this.#usedUntilMs.get(cardRef) ?? 0) > Date.now();
  }

  /** Drops a card that nobody is going to need. One that is out on a lease, or unknown, is not touched. */
  discard(cardRef: string): void {
    this.#forget(cardRef);
  }

  /** Takes no more cards; those that wait may still be leased. The first step of a shutdown. */
  stopTaking(): void {
    this.#taking = false;
  }

  /** Takes no more cards, drops those that wait, and resolves when no lease is out any more. */
  close(): Promise<void> {
    this.#taking = false;
    this.#closed = true;
    for (const cardRef of [...this.#waiting.keys()]) this.#forget(cardRef);
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#settle();
    });
  }

  toJSON(): string {
    return 'CardStore';
  }

  [inspect.custom](): string {
    return 'CardStore';
  }

  #keep(cardRef: string, { card, key, expiresAtMs }: Omit<Entry, 'timer'>): void {
    const leftMs = expiresAtMs - Date.now();
    if (leftMs <= 0) return;
    const timer = setTimeout(() => {
      this.#forget(cardRef);
    }, leftMs).unref();
    this.#waiting.set(cardRef, { card, key, expiresAtMs, timer });
    this.#count(key, 1);
  }

  #rememberUsed(cardRef: string): void {
    const nowMs = Date.now();
    for (const [used, untilMs] of this.#usedUntilMs) {
      if (untilMs > nowMs) break;
      this.#usedUntilMs.delete(used);
    }
    this.#usedUntilMs.set(cardRef, nowMs + this.#limits.lifeMs);
  }

  #forget(cardRef: string): void {
    const entry = this.#waiting.get(cardRef);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#waiting.delete(cardRef);
    this.#count(entry.key, -1);
  }

  #countOf(key: string): number {
    return this.#ofKey.get(key) ?? 0;
  }

  #count(key: string, change: 1 | -1): void {
    const count = this.#countOf(key) + change;
    if (count > 0) this.#ofKey.set(key, count);
    else this.#ofKey.delete(key);
  }

  #settle(): void {
    if (!this.#closed || this.#leased.size > 0) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}

class Lease implements CardLease {
  #card: StoredCard | undefined;
  #end: ((givenBack: boolean) => void) | undefined;

  constructor(card: StoredCard, end: (givenBack: boolean) => void) {
    this.#card = card;
    this.#end = end;
  }

  get card(): StoredCard {
    if (this.#card === undefined) throw new Error('This lease is over.');
    return this.#card;
  }

  giveBack(): void {
    this.#finish(true);
  }

  burn(): void {
    this.#finish(false);
  }

  toJSON(): string {
    return 'CardLease';
  }

  [inspect.custom](): string {
    return 'CardLease';
  }

  #finish(givenBack: boolean): void {
    this.#end?.(givenBack);
    this.#end = undefined;
    this.#card = undefined;
  }
}
