import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type {
  PayoutBatchInput,
  PayoutBatchPageState,
  RowError,
  RowOutcome,
} from '../../src/contract/payout-batch.js';
import type { RowProblem } from '../../src/contract/check-rows.js';
import { defaultStartsPerSecond } from '../../src/domain/batch-limits.js';
import { batchIdProblem, batchPageId, partnerCodeProblem } from '../../src/domain/ids.js';
import { asRecord } from '../../src/domain/records.js';

/** What is known of one page of a batch, for callers and operators. */
export class BatchPage {
  /** Nothing that is none: it could be a card number. */
  readonly batchId: string;
  readonly number: number;
  readonly pages: number;
  readonly firstRow: number;
  readonly startsPerSecond: number;
  readonly #idFault: string | undefined;
  readonly #rows: readonly unknown[];
  readonly #allRows: number;
  readonly #counts = { started: 0, existing: 0, conflict: 0, failed: 0 };
  readonly #errors: RowError[] = [];
  #status: PayoutBatchPageState['status'] = 'waiting';

  /** The input may come from anybody and be anything; {@link problem} and an activity check it. */
  constructor(input: PayoutBatchInput) {
    const { batch_id, page, pages, first_row, rows, payouts, starts_per_second } = asRecord(input);
    const id = typeof batch_id === 'string' ? batch_id : '';
    this.#idFault = batchIdProblem(id);
    this.batchId = this.#idFault === undefined ? id : '(invalid)';
    this.number = wholeNumber(page);
    this.pages = wholeNumber(pages);
    this.firstRow = wholeNumber(first_row);
    this.#rows = Array.isArray(payouts) ? payouts : [];
    this.#allRows = wholeNumber(rows);
    this.startsPerSecond =
      typeof starts_per_second === 'number' && starts_per_second > 0
        ? starts_per_second
        : defaultStartsPerSecond;
  }

  /** Why this workflow must not begin; undefined when it may. */
  problem(): string | undefined {
    if (this.#idFault !== undefined) return `batch_id ${this.#idFault}`;
    const info = workflowInfo();
    if (info.workflowId !== batchPageId(this.batchId, this.number)) {
      return `The workflow id must be ${batchPageId(this.batchId, this.number)}.`;
    }
    const repeats = info.retryPolicy !== undefined || (info.cronSchedule ?? '') !== '';
    return repeats ? 'A batch must not be started with a retry policy or a cron schedule.' : undefined;
  }

  /** How many rows are settled, from the first one on. */
  get settled(): number {
    const { started, existing, conflict, failed } = this.#counts;
    return started + existing + conflict + failed;
  }

  get finished(): boolean {
    return this.settled >= this.#rows.length;
  }

  /** The rows to start next. */
  next(count: number): readonly unknown[] {
    return this.#rows.slice(this.settled, this.settled + count);
  }

  partnerCodes(): string[] {
    return this.#rows.flatMap((row) => {
      const { partner_code: code } = asRecord(row);
      return typeof code === 'string' && partnerCodeProblem('payout', code) === undefined ? [code] : [];
    });
  }

  moveTo(status: PayoutBatchPageState['status']): void {
    this.#status = status;
    this.#show();
  }

  /** Nothing of it can be started. */
  reject(problems: readonly RowProblem[]): void {
    for (const { row, field, message } of problems) {
      this.#errors.push({ row, partner_code: null, outcome: 'failed', message: `${field} ${message}` });
    }
    this.moveTo('rejected');
  }

  settle(outcomes: readonly RowOutcome[]): void {
    for (const { outcome, message } of outcomes) {
      if (outcome === 'conflict' || outcome === 'failed') {
        const { partner_code: code } = asRecord(this.#rows[this.settled]);
        this.#errors.push({
          row: this.firstRow + this.settled,
          partner_code: typeof code === 'string' ? code : null,
          outcome,
          message: message ?? '',
        });
      }
      this.#counts[outcome] += 1;
    }
    this.#show();
  }

  state(): PayoutBatchPageState {
    return {
      batch_id: this.batchId,
      page: this.number,
      pages: this.pages,
      rows: this.#allRows,
      status: this.#status,
      counts: { ...this.#counts, pending: this.#rows.length - this.settled },
      errors: [...this.#errors],
    };
  }

  #show(): void {
    const { counts } = this.state();
    const lines = [
      `### Batch ${this.batchId}, page ${String(this.number)} of ${String(this.pages)}: \`${this.#status}\``,
      '',
      `${String(counts.started)} payouts started, ${String(counts.existing)} had been started before, ` +
        `${String(counts.pending)} still to start.`,
    ];
    if (counts.conflict > 0) {
      lines.push(
        `- **${String(counts.conflict)} conflicts**: another payout has that partner_code; not started.`,
      );
    }
    if (counts.failed > 0) lines.push(`- **${String(counts.failed)} failed**: not started.`);
    for (const { row, outcome } of this.#errors.slice(0, 10)) lines.push(`- row ${String(row)}: ${outcome}`);
    setCurrentDetails(lines.join('\n'));
  }
}

function wholeNumber(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 1;
}
