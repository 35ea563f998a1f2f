import { batchLimits } from '../domain/batch-limits.js';
import { payoutRow, type PayoutRow } from './payout-batch.js';
import { fieldProblems, type FieldProblem } from './problems.js';

/** One fault of a row; rows count from 1. */
export type RowProblem = FieldProblem & { row: number };

/** Checks the rows of a batch, page after page, and lists the faults of all of them. */
export class RowCheck {
  readonly payouts: PayoutRow[] = [];
  /** The first of them; {@link count} is how many there are. */
  readonly problems: RowProblem[] = [];
  count = 0;
  readonly #rowsByCode = new Map<string, number>();
  #row: number;

  /** @param problemOf what is wrong with a row beside its form */
  constructor(
    firstRow = 1,
    private readonly problemOf: (row: unknown) => FieldProblem | undefined = () => undefined,
  ) {
    this.#row = firstRow - 1;
  }

  add(rows: readonly unknown[]): void {
    for (const raw of rows) {
      this.#row += 1;
      const parsed = payoutRow.safeParse(raw);
      const further = this.problemOf(raw);
      if (parsed.success && further === undefined) this.#take(parsed.data);
      if (!parsed.success) for (const problem of fieldProblems(parsed.error)) this.#report(problem);
      if (further !== undefined) this.#report(further);
    }
  }

  #take(payout: PayoutRow): void {
    const { partner_code: code } = payout;
    // Nobody means two payments by a code in capitals and in small letters.
    const folded = code.toLowerCase();
    const previous = this.#rowsByCode.get(folded);
    if (previous === undefined) {
      this.#rowsByCode.set(folded, this.#row);
      this.payouts.push(payout);
    } else {
      const message = `is the partner_code of row ${String(previous)} already, or differs from it in capitals alone; each payout needs one of its own`;
      this.#report({ field: 'partner_code', message });
    }
  }

  #report({ field, message }: FieldProblem): void {
    this.count += 1;
    if (this.problems.length < batchLimits.listedErrors)
      this.problems.push({ row: this.#row, field, message });
  }
}
