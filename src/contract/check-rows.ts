import { batchLimits } from '../domain/batch-limits.js';
import { payoutRow, type PayoutRow } from './payout-batch.js';
import { fieldProblems, type FieldProblem } from './problems.js';

/** One fault of a row; rows count from 1. */
export type RowProblem = FieldProblem & { row: number };

type RowCheckOptions = {
  firstRow?: number;
  problemOf?: (row: unknown) => FieldProblem | undefined;
  lineOf?: (row: unknown) => number | undefined;
};

const none = () => undefined;

/** Checks the rows of a batch, page after page, and lists the faults of all of them. */
export class RowCheck {
  readonly payouts: PayoutRow[] = [];
  /** The first of them; {@link count} is how many there are. */
  readonly problems: RowProblem[] = [];
  count = 0;
  readonly #placesByCode = new Map<string, string>();
  #row: number;

  readonly #problemOf: (row: unknown) => FieldProblem | undefined;
  readonly #lineOf: (row: unknown) => number | undefined;

  /**
   * @param problemOf what is wrong with a row beside its form
   * @param lineOf the line of its file
   */
  constructor({ firstRow = 1, problemOf = none, lineOf = none }: RowCheckOptions = {}) {
    this.#row = firstRow - 1;
    this.#problemOf = problemOf;
    this.#lineOf = lineOf;
  }

  add(rows: readonly unknown[]): void {
    for (const raw of rows) {
      this.#row += 1;
      const parsed = payoutRow.safeParse(raw);
      const further = this.#problemOf(raw);
      const problems = [
        ...(parsed.success ? [] : fieldProblems(parsed.error)),
        ...(further === undefined ? [] : [further]),
      ];
      const line = this.#lineOf(raw);
      const place = line === undefined ? `row ${String(this.#row)}` : `line ${String(line)}`;
      const again = parsed.success && problems.length === 0 ? this.#take(parsed.data, place) : undefined;
      if (again !== undefined) problems.push(again);
      for (const problem of problems) this.#report(line === undefined ? problem : { ...problem, line });
    }
  }

  #take(payout: PayoutRow, place: string): FieldProblem | undefined {
    const { partner_code: code } = payout;
    // Nobody means two payments by a code in capitals and in small letters.
    const folded = code.toLowerCase();
    const previous = this.#placesByCode.get(folded);
    if (previous !== undefined) {
      const message = `is the partner_code of ${previous} already, or differs from it in capitals alone; each payout needs one of its own`;
      return { field: 'partner_code', message };
    }
    this.#placesByCode.set(folded, place);
    this.payouts.push(payout);
    return undefined;
  }

  #report(problem: FieldProblem): void {
    this.count += 1;
    if (this.problems.length < batchLimits.listedErrors) this.problems.push({ row: this.#row, ...problem });
  }
}
