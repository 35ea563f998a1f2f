import type { AuditEntry, AuditLog } from '../../audit/audit-log.js';
import { networkOf } from './network.js';

const windowMs = 60_000;
/** Beyond them, refusals are told apart by command and outcome alone. */
const mostGroups = 1_000;

/** Outcomes that anyone can bring about as often as he likes. */
const refusals: ReadonlySet<string> = new Set([
  ...['unauthorized', 'forbidden', 'foreign host', 'foreign origin'],
  ...['too-many-requests', 'too-many-cards', 'too-many-batches', 'too-many-reads', 'overloaded'],
]);

/** What the codec converts: a page that is opened asks for it by the hundred. */
const conversion = /^\d+ payloads$/;

/** Of entries that are equal: how many came after the first, and what is written of them. */
type Group = { readonly sum: AuditEntry; times: number };

/**
 * Writes the first of equal refusals and conversions of payloads at once, and those that follow within a minute as one line
 * with their number, so that they can't fill the audit stream. Whatever names a payment is a line of its own.
 */
export class RefusalSums {
  readonly #groups = new Map<string, Group>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly audit: AuditLog) {}

  readonly write: AuditLog = (entry) => {
    const group = isSummed(entry) ? this.#groupOf(entry) : undefined;
    if (group === undefined) this.audit(entry);
    else group.times += 1;
  };

  /** Writes the sums, and begins anew. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { sum, times } of this.#groups.values()) if (times > 0) this.audit({ ...sum, times });
    this.#groups.clear();
  }

  /** Undefined when it is the first of its group. */
  #groupOf(entry: AuditEntry): Group | undefined {
    const { command, outcome } = entry;
    const sum = { key: entry.key, address: networkOf(entry.address), command, outcome };
    const known = this.#find(sum);
    if (known !== undefined) return known;
    if (this.#groups.size < mostGroups) return this.#begin(sum);
    const ofAnyone = { key: null, address: 'many', command, outcome };
    return this.#find(ofAnyone) ?? this.#begin(ofAnyone);
  }

  #find(sum: AuditEntry): Group | undefined {
    return this.#groups.get(nameOf(sum));
  }

  #begin(sum: AuditEntry): undefined {
    this.#groups.set(nameOf(sum), { sum, times: 0 });
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref();
  }
}

function isSummed({ workflow_id: workflowId, outcome }: AuditEntry): boolean {
  return workflowId === undefined && (refusals.has(outcome) || conversion.test(outcome));
}

function nameOf({ key, address, command, outcome }: AuditEntry): string {
  return JSON.stringify([key, address, command, outcome]);
}
