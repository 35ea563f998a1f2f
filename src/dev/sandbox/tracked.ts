import type { Plan } from './plan.js';

export type TrackedType = 'order' | 'payout' | 'account_validation';
export type StatusChange = { readonly status: string; readonly at: string };

/** What an order, a payout and an account validation have in common: a status that changes and is reported. */
export type Tracked = {
  readonly type: TrackedType;
  id: string;
  readonly partnerCode: string;
  readonly notificationUrl: string;
  readonly createdAt: string;
  readonly plan: Plan;
  status: string;
  /** Every status it ever had, the first included. */
  readonly history: StatusChange[];
};

/** When it first had one of these statuses. */
export function firstTime(record: Tracked, ...statuses: readonly string[]): string | null {
  return record.history.find(({ status }) => statuses.includes(status))?.at ?? null;
}

export function updatedAt(record: Tracked): string {
  return record.history.at(-1)?.at ?? record.createdAt;
}

/** Records by id and by partner_code, which need not be unique: the service does not deduplicate. */
export class Records<T extends Tracked> {
  protected readonly changed: () => void;
  readonly #byId = new Map<string, T>();
  readonly #byPartnerCode = new Map<string, T[]>();

  constructor(changed: () => void) {
    this.changed = changed;
  }

  add(record: T): void {
    this.#byId.set(record.id, record);
    const created = this.#byPartnerCode.get(record.partnerCode);
    if (created === undefined) this.#byPartnerCode.set(record.partnerCode, [record]);
    else created.push(record);
    this.changed();
  }

  /** The record has another identifier from now on, and none of its own answers any more. */
  move(record: T, id: string): void {
    this.#byId.delete(record.id);
    record.id = id;
    this.#byId.set(id, record);
    this.changed();
  }

  byId(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** By id, or the last one created with this partner_code. */
  find(idOrPartnerCode: string): T | undefined {
    return this.#byId.get(idOrPartnerCode) ?? this.#byPartnerCode.get(idOrPartnerCode)?.at(-1);
  }

  timesCreated(partnerCode: string): number {
    return this.#byPartnerCode.get(partnerCode)?.length ?? 0;
  }

  all(): readonly T[] {
    return [...this.#byId.values()];
  }

  clear(): void {
    this.#byId.clear();
    this.#byPartnerCode.clear();
  }
}
