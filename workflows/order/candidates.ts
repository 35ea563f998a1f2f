import type { PostbackReceived } from '../../src/contract/messages.js';
import { identifiersIn } from '../../src/domain/postback-identifiers.js';
import type { PaymentContext } from '../shared/context.js';

const maxCandidates = 20;
/** A candidate that could not be read just then is read again so much later. */
const rereadMs = 15 * 60_000;

/** What candidates carry through a continue-as-new: all that are shown, and those of them still to be read. */
export type CandidatesSnapshot = { shown: string[]; unread: string[]; notBefore: number };

/** Identifiers that postbacks name for an order whose own is not known: hints to follow, never proof. */
export class Candidates {
  readonly #facts: CandidatesSnapshot;

  constructor(
    private readonly partnerCode: string,
    private readonly scale: number,
    snapshot?: CandidatesSnapshot,
  ) {
    this.#facts = snapshot ?? { shown: [], unread: [], notBefore: 0 };
  }

  get shown(): string[] {
    return [...this.#facts.shown];
  }

  /** When the next one is to be read; Infinity when none is left. */
  get dueAt(): number {
    return this.#facts.unread.length === 0 ? Infinity : this.#facts.notBefore;
  }

  onPostback({ body }: PostbackReceived): void {
    const { shown, unread } = this.#facts;
    for (const id of identifiersIn(body)) {
      if (shown.includes(id) || shown.length >= maxCandidates) continue;
      shown.push(id);
      unread.push(id);
      this.#facts.notBefore = 0;
    }
  }

  /** Reads the next candidate; answers it only if the service's own answer carries this payment's partner_code. */
  async next(ctx: PaymentContext): Promise<{ serviceId: string; status: string | null } | undefined> {
    const serviceId = this.#facts.unread.shift();
    if (serviceId === undefined) return undefined;
    const read = await ctx.readOrder(serviceId);
    if (read.kind === 'unreadable') {
      this.#facts.unread.push(serviceId);
      this.#facts.notBefore = ctx.now() + rereadMs * this.scale;
    }
    const isOurs = read.kind === 'read' && read.reading.partner_code === this.partnerCode;
    return isOurs ? { serviceId, status: read.reading.status } : undefined;
  }

  snapshot(): CandidatesSnapshot {
    return this.#facts;
  }
}
