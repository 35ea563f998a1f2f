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
  readonly data: CandidatesSnapshot;

  constructor(
    private readonly partnerCode: string,
    private readonly scale: number,
    snapshot?: CandidatesSnapshot,
  ) {
    this.data = snapshot ?? { shown: [], unread: [], notBefore: 0 };
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

  /** Reads the next candidate; answers it only if the service's own answer carries this payment's partner_code. */
  async next(ctx: PaymentContext): Promise<string | undefined> {
    const serviceId = this.data.unread.shift();
    if (serviceId === undefined) return undefined;
    const read = await ctx.readOrder(serviceId);
    if (read.kind === 'unreadable') {
      this.data.unread.push(serviceId);
      this.data.notBefore = ctx.now() + rereadMs * this.scale;
    }
    const isOurs = read.kind === 'read' && read.reading.partner_code === this.partnerCode;
    return isOurs ? serviceId : undefined;
  }
}
