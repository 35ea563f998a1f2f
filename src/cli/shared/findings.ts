import { z } from 'zod';
import { anyPartnerCode } from '../../contract/fields.js';
import { fieldProblems } from '../../contract/problems.js';
import { resolveSubmission } from '../../contract/messages.js';
import { csvRows, type CsvRow } from '../../client/csv-rows.js';
import { InvalidRequestError } from '../../client/errors.js';
import { foldedName } from '../../client/json-text.js';
import { UsageError } from './exit.js';

/** The columns of a file of findings; `payout unknown --csv` writes it with the last two left empty. */
export const findingColumns = [
  'partner_code',
  'sent_as',
  'method',
  'value',
  'since',
  'service_id',
  'nothing_happened',
] as const;

/** What was found out at the service about one submission of unknown outcome. */
export type Finding = {
  readonly partnerCode: string;
  /** The partner_code of the attempt that was looked for; null when the file does not have it. */
  readonly sentAs: string | null;
  readonly found: { service_id: string } | { nothing_happened: true };
};

/** An empty cell is one that is left out. */
const cell = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema);
const partnerCode = z.string('is missing').pipe(anyPartnerCode);
const row = z.object({
  partner_code: cell(partnerCode),
  sent_as: cell(partnerCode.optional()),
  service_id: cell(resolveSubmission.shape.service_id),
  nothing_happened: cell(z.literal('yes', 'must be yes or empty').optional()),
});

/**
 * The findings of a CSV file: a row says either `service_id` or `nothing_happened` = yes; one that says neither is left
 * out, since nothing was found out about it yet.
 *
 * @throws UsageError naming each line and column at fault
 */
export async function findingsIn(content: string): Promise<Finding[]> {
  const problems: string[] = [];
  const findings = new Map<string, Finding>();
  for await (const { line, cells } of rowsOf(content)) {
    const parsed = row.safeParse(cells);
    const faults = parsed.success ? faultsOf(parsed.data, findings) : fieldProblems(parsed.error);
    problems.push(...faults.map(({ field, message }) => `line ${String(line)}, ${field} ${message}`));
    if (!parsed.success) continue;
    const { nothing_happened: nothing, partner_code: partnerCode, sent_as: sentAs, service_id } = parsed.data;
    const common = { partnerCode, sentAs: sentAs ?? null };
    if (service_id !== undefined) findings.set(foldedName(partnerCode), { ...common, found: { service_id } });
    else if (nothing !== undefined)
      findings.set(foldedName(partnerCode), { ...common, found: { nothing_happened: true } });
  }
  if (problems.length > 0) throw new UsageError(`${problems.join('\n')}\nNothing was changed.`);
  return [...findings.values()];
}

/** What is wrong with a row whose cells are all right. */
function faultsOf(
  { nothing_happened: nothing, partner_code: code, service_id: serviceId }: z.output<typeof row>,
  others: ReadonlyMap<string, Finding>,
): { field: string; message: string }[] {
  if (others.has(foldedName(code))) return [{ field: 'partner_code', message: 'stands in a line above' }];
  if (serviceId === undefined || nothing === undefined) return [];
  return [{ field: 'service_id', message: 'stands beside nothing_happened: give one of them' }];
}

async function* rowsOf(content: string): AsyncGenerator<CsvRow> {
  try {
    yield* csvRows([content], new Set(findingColumns));
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new UsageError(`${error.problems.map(({ message }) => message).join()}. Nothing was changed.`);
  }
}
