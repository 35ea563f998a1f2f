import { bulkRetryLine } from '../../contract/bulk-retry.js';
import { schemaOf } from './components.js';
import { examples } from './examples.js';
import type { Operation } from './operation.js';

/** A batch as rows alone; what stands beside them in JSON stands in the query. */
const rowsAs: Readonly<Record<string, string>> = {
  'text/csv':
    'method,partner_code,value,pix,first_name,last_name,document\n' +
    'pix,rent-2026-05,150.50,ana.lima@example.com,Ana,Lima,52998224725\n',
  'application/x-ndjson': `${JSON.stringify({ method: 'pix', ...examples.PixPayoutBody })}\n`,
};

export function addRows({ operationId, requestBody }: Operation): void {
  if (operationId !== 'startPayoutBatch' || requestBody === undefined || !('content' in requestBody)) return;
  const asText = Object.entries(rowsAs).map(([type, example]) => [
    type,
    { schema: { type: 'string', minLength: 1, description: 'A payout a line' }, example },
  ]);
  requestBody.content = { ...(requestBody.content as object), ...Object.fromEntries(asText) };
}

/** The schemas of an answer in several forms are not converted with the others. */
export function describeReport({ operationId, responses }: Operation): void {
  if (operationId !== 'getBulkRetryReport' || responses === undefined) return;
  responses['200'] = {
    ...responses['200'],
    content: {
      'application/x-ndjson': { schema: schemaOf(bulkRetryLine, 'output') },
      'text/csv': { schema: { type: 'string', description: 'A payout a line, below a line of names' } },
    },
  };
}
