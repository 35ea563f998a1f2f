import type { PostbackReceived } from '../../src/contract/messages.js';
import { asRecord } from './opening.js';
import { tryToReadOrder } from './order-follow.js';

const maxCandidates = 20;
const identifier = /^[\w.:-]{1,128}$/;
/** A candidate that could not be read just then is read again so much later. */
const rereadMs = 15 * 60_000;

/** What candidates hand over at a continue-as-new: all that are shown, and those of them still to be read. */
export type CandidatesCarry = { shown: string[]; unread: string[]; notBefore: number };

/** Identifiers that postbacks claim for an order of unknown fate: a trail to follow, never a proof. */
export class Candidates {
  readonly #carry: CandidatesCarry;

  constructor(
    private readonly partnerCode: string,
    private readonly scale: number,
    carried?: CandidatesCarry,
  ) {
    this.#carry = carried ?? { shown: [], unread: [], notBefore: 0 };
  }

  get shown(): string[] {
    return [...this.#carry.shown];
  }

  /** When the next one is to be read; Infinity when none is left. */
  get dueAt(): number {
    return this.#carry.unread.length === 0 ? Infinity : this.#carry.notBefore;
  }

  /** Picks an identifier out of a postback's body, if it holds one. */
  look(postback: PostbackReceived): void {
    const { shown, unread } = this.#carry;
    // A bare client may have sent the signal with nothing at all.
    const id = identifierIn(asRecord(postback).body);
    if (id === undefined || shown.includes(id) || shown.length >= maxCandidates) return;
    shown.push(id);
    unread.push(id);
    this.#carry.notBefore = 0;
  }

  /** Reads the next candidate; answers it only if the service's own answer carries this payment's partner_code. */
  async next(): Promise<{ serviceId: string; status: string | null } | undefined> {
    const serviceId = this.#carry.unread.shift();
    if (serviceId === undefined) return undefined;
    const reading = await tryToReadOrder(serviceId);
    if (reading === undefined) {
      this.#carry.unread.push(serviceId);
      this.#carry.notBefore = Date.now() + rereadMs * this.scale;
      return undefined;
    }
    return reading.partner_code === this.partnerCode ? { serviceId, status: reading.status } : undefined;
  }

  carry(): CandidatesCarry {
    return this.#carry;
  }
}

function identifierIn(body: unknown): string | undefined {
  const parsed = parse(body);
  const holders = [parsed, asRecord(parsed.order), asRecord(parsed.data)];
  for (const { id, order_id: orderId } of holders) {
    for (const value of [id, orderId]) {
      if (typeof value === 'string' && identifier.test(value)) return value;
      if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    }
  }
  return undefined;
}

function parse(body: unknown): Record<string, unknown> {
  if (typeof body !== 'string') return {};
  try {
    return asRecord(JSON.parse(body));
  } catch {
    return {};
  }
}
