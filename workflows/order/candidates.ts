import type { PostbackReceived } from '../../src/contract/messages.js';
import type { OrderReading } from '../../src/contract/outcomes.js';
import { identifiersIn } from '../../src/domain/postback-identifiers.js';
import type { PaymentContext } from '../shared/context.js';

const maxCandidates = 20;
/** A candidate that could not be read just then is read again so much later. */
const rereadMs = 15 * 60_000;
/** One that the service does not know yet is read again so often, each time after twice as long: for five days. */
const mostMisses = 9;

/**
 * What candidates carry through a continue-as-new: all that are shown, those of them still to be read, and how often the
 * service knew none of them.
 */
export type CandidatesSnapshot = {
  shown: string[];
  unread: string[];
  notBefore: number;
  misses: Record<string, number>;
};

/** An order that a postback named, as the service shows it. */
export type Candidate = { serviceId: string; reading: OrderReading };

/** Identifiers that postbacks name for an order whose own is not known: hints to follow, never proof. */
export class Candidates {
  readonly data: CandidatesSnapshot;

  constructor(
    private readonly scale: number,
    snapshot?: CandidatesSnapshot,
  ) {
    this.data = snapshot ?? { shown: [], unread: [], notBefore: 0, misses: {} };
  }

  /** When the next one is to be read; Infinity when none is left. */
  get dueAt(): number {
    return this.data.unread.length === 0 ? Infinity : this.data.notBefore;
  }

  onPostback({ body }: PostbackReceived): void {
    const { shown, unread } = this.data;
    for (const id of identifiersIn(body)) {
      if (shown.includes(id) || shown.length >= maxCandidates) continue;
      shown.push(id);
      unread.push(id);
      this.data.notBefore = 0;
    }
  }

  /** What was named before an operator decided is settled; what is named after that is news. */
  forget(): void {
    Object.assign(this.data, { shown: [], unread: [], misses: {} });
  }

  /** Reads the next candidate; undefined when the service did not show it. Such a one is read again later. */
  async next(ctx: PaymentContext): Promise<Candidate | undefined> {
    const serviceId = this.data.unread.shift();
    if (serviceId === undefined) return undefined;
    const read = await ctx.readOrder(serviceId);
    switch (read.kind) {
      case 'read':
        return { serviceId, reading: read.reading };
      case 'unreadable':
        this.#readAgain(ctx, serviceId, rereadMs);
        return undefined;
      case 'not_found': {
        const misses = (this.data.misses[serviceId] ?? 0) + 1;
        this.data.misses[serviceId] = misses;
        if (misses <= mostMisses) this.#readAgain(ctx, serviceId, rereadMs * 2 ** (misses - 1));
        return undefined;
      }
    }
  }

  #readAgain(ctx: PaymentContext, serviceId: string, afterMs: number): void {
    this.data.unread.push(serviceId);
    this.data.notBefore = ctx.now() + afterMs * this.scale;
  }
}
