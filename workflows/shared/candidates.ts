import type { PostbackReceived } from '../../src/contract/messages.js';
import { asRecord } from './opening.js';
import { tryToReadOrder } from './order-follow.js';

const maxCandidates = 20;
const identifier = /^[\w.:-]{1,128}$/;

/** Identifiers that postbacks claim for an order of unknown fate: a trail to follow, never a proof. */
export class Candidates {
  readonly #waiting: string[] = [];

  constructor(
    private readonly partnerCode: string,
    readonly shown: string[] = [],
  ) {}

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Picks an identifier out of a postback's body, if it holds one. */
  look({ body }: PostbackReceived): void {
    const id = identifierIn(body);
    if (id === undefined || this.shown.includes(id) || this.shown.length >= maxCandidates) return;
    this.shown.push(id);
    this.#waiting.push(id);
  }

  /** Reads the next candidate; answers it only if the service's own answer carries this payment's partner_code. */
  async next(): Promise<{ serviceId: string; status: string | null } | undefined> {
    const serviceId = this.#waiting.shift();
    const reading = serviceId === undefined ? undefined : await tryToReadOrder(serviceId);
    if (serviceId === undefined || reading?.partner_code !== this.partnerCode) return undefined;
    return { serviceId, status: reading.status };
  }
}

function identifierIn(body: string): string | undefined {
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
