import type { BulkRetryState, SelectedPayout } from '../../src/contract/bulk-retry.js';
import { bulkRetryLimits, type Tally } from '../../src/domain/bulk-retry.js';
import { toDecimal } from '../../src/domain/money.js';

type FailureGroup = Tally & { cause: string; words: string };

/** How far the selection is. */
export type SelectionSnapshot = {
  cursor: string | null;
  isComplete: boolean;
  /** Selected, and on no page yet. */
  unpaged: SelectedPayout[];
  groups: FailureGroup[];
};

/** The selected payouts until they are shared out to pages, and their groups by cause and words. */
export class Selection {
  constructor(private readonly data: SelectionSnapshot) {}

  static begin(): SelectionSnapshot {
    return { cursor: null, isComplete: false, unpaged: [], groups: [] };
  }

  get cursor(): string | null {
    return this.data.cursor;
  }

  get isComplete(): boolean {
    return this.data.isComplete;
  }

  get unpaged(): readonly SelectedPayout[] {
    return this.data.unpaged;
  }

  /** @param cursor where the next part begins; null after the last one */
  add(payouts: readonly SelectedPayout[], cursor: string | null): void {
    this.data.unpaged.push(...payouts);
    for (const payout of payouts) this.#group(payout);
    this.data.cursor = cursor;
    this.data.isComplete = cursor === null;
  }

  /** The payouts of the next page, when it is full or the last one. */
  takePage(): SelectedPayout[] | undefined {
    const { isComplete, unpaged } = this.data;
    const isReady = unpaged.length >= bulkRetryLimits.pagePayouts || (isComplete && unpaged.length > 0);
    return isReady ? mixed(unpaged.splice(0, bulkRetryLimits.pagePayouts)) : undefined;
  }

  groups(): BulkRetryState['groups'] {
    return this.data.groups
      .map(({ cause, centavos, count, words }) => ({ cause, words, count, value: toDecimal(centavos) }))
      .sort((one, other) => other.count - one.count);
  }

  #group({ cause, centavos, words }: SelectedPayout): void {
    const group = this.#find(cause, words) ?? this.#open(cause, words);
    group.count += 1;
    group.centavos += centavos;
  }

  #find(cause: string, words: string): FailureGroup | undefined {
    return this.data.groups.find((group) => group.cause === cause && group.words === words);
  }

  /** Words that differ for each payout are grouped: the number of groups is bounded. */
  #open(cause: string, words: string): FailureGroup {
    const isFull = this.data.groups.length >= bulkRetryLimits.groups;
    const known = isFull ? this.#find(cause, 'other words') : undefined;
    if (known !== undefined) return known;
    const group = { cause, words: isFull ? 'other words' : words, count: 0, centavos: 0 };
    this.data.groups.push(group);
    return group;
  }
}

/** Payouts that failed for different reasons in turn, so that a canary has some of each. */
function mixed(payouts: readonly SelectedPayout[]): SelectedPayout[] {
  const groups = new Map<string, SelectedPayout[]>();
  for (const payout of payouts) {
    const key = `${payout.cause} ${payout.words}`;
    groups.set(key, [...(groups.get(key) ?? []), payout]);
  }
  const longest = Math.max(...[...groups.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    [...groups.values()].flatMap((group) => group.slice(turn, turn + 1)),
  ).flat();
}
