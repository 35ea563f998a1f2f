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
 * What candidates carry through a continue-as-new: all that are shown, and those of them that are still to be read.
 */
export type CandidatesSnapshot = {
  shown: string[];
  unread: Unread[];
};

/** One that is to be read, not before a time, and how often the service did not know it. */
type Unread = { id: string; notBefore: number; misses: number };

/** An order that a postback named, as the service shows it. */
export type Candidate = { serviceId: string; reading: OrderReading };

/** Identifiers that postbacks name for an order whose own is not known: hints to follow, never proof. */
export class Candidates {
  readonly data: CandidatesSnapshot;

  constructor(
    private readonly scale: number,
    snapshot?: CandidatesSnapshot,
  ) {
    this.data = snapshot ?? { shown: [], unread: [] };
  }

  /** When the next one is to be read; Infinity when none is left. */
  get dueAt(): number {
    return Math.min(...this.data.unread.map(({ notBefore }) => notBefore));
  }

  onPostback({ body }: PostbackReceived): void {
    const { shown, unread } = this.data;
    for (const id of identifiersIn(body)) {
      if (shown.includes(id) || shown.length >= maxCandidates) continue;
      shown.push(id);
      unread.push({ id, notBefore: 0, misses: 0 });
    }
  }

  /** What was named before an operator decided is settled; what is named after that is news. */
  forget(): void {
    Object.assign(this.data, { shown: [], unread: [] });
  }

  /** Reads the candidate that is due first; undefined when the service did not show it. It is read again later then. */
  async next(ctx: PaymentContext): Promise<Candidate | undefined> {
    const { unread } = this.data;
    const due = unread.find(({ notBefore }) => notBefore === this.dueAt);
    if (due === undefined) return undefined;
    const { id: serviceId } = due;
    unread.splice(unread.indexOf(due), 1);
    const read = await ctx.readOrder(serviceId);
    switch (read.kind) {
      case 'read':
        return { serviceId, reading: read.reading };
      case 'unreadable':
        unread.push({ ...due, notBefore: ctx.now() + rereadMs * this.scale });
        return undefined;
      case 'not_found': {
        const misses = due.misses + 1;
        const afterMs = rereadMs * 2 ** (misses - 1) * this.scale;
        if (misses <= mostMisses) unread.push({ id: serviceId, notBefore: ctx.now() + afterMs, misses });
        return undefined;
      }
    }
  }
}
