import type { BulkRetryLine } from '../contract/bulk-retry.js';
import { csvText } from './csv.js';

const columns = [
  'partner_code',
  'value',
  'cause',
  'words',
  'attempt',
  'outcome',
  'detail',
  'at',
] as const satisfies readonly (keyof BulkRetryLine)[];

/** The first line of a report as CSV. */
export const bulkRetryCsvHead = csvText([columns], '\n');

/** Lines of a report as CSV. */
export function bulkRetryCsv(lines: readonly BulkRetryLine[]): string {
  const rows = lines.map((line) =>
    columns.map((name) => (name === 'value' ? line.value.toFixed(2) : line[name])),
  );
  return csvText(rows, '\n');
}
