import { errorCodes } from 'fastify';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { batchId, payoutBatchBody, payoutBatchState } from '../../contract/payout-batch.js';
import { batchLimits } from '../../domain/batch-limits.js';
import { batchIdProblem, batchPageId } from '../../domain/ids.js';
import { batchFromJson, withHead } from '../../client/batch-json.js';
import { rowsOf } from '../../client/batch-rows.js';
import { BatchNotFoundError } from '../../client/errors.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { auditedStart } from '../payments/commands.js';
import { bounded } from '../http/bounded-body.js';
import type { Body } from '../http/bounded-body.js';
import { HttpError } from '../http/http-error.js';
import { InFlight } from '../http/in-flight.js';
import { seesAll, startedFor } from '../payments/ownership.js';
import { readBy } from '../http/read-by.js';
import { fieldsOf } from '../payments/fields-of.js';

const tags = ['payouts'];
const contentTypes = { csv: ['text/csv'], jsonl: ['application/x-ndjson', 'application/jsonl'] } as const;

const batchParams = z.object({ batch_id: batchId });
const showQuery = z.strictObject({ payouts: z.enum(['true', 'false'], 'must be true or false').optional() });
/** What stands in the body of a JSON request; the rows alone are in that of the other formats. */
const batchQuery = z.strictObject({
  batch_id: batchId.optional(),
  starts_per_second: z.coerce
    .number('must be a number from 0.1 to 200')
    .min(0.1, 'must be from 0.1 to 200')
    .max(200, 'must be from 0.1 to 200')
    .optional(),
});

/** POST /v1/payout-batches and GET /v1/payout-batches/{batch_id}. */
export function payoutBatchRoutes(app: GatewayApp, services: GatewayServices): void {
  const { payments, batchReads, costlyReads } = services;
  // Read row by row: ten thousand rows are never parsed at one go, and the first one too many ends it.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (_request: FastifyRequest, body: Body) =>
    batchFromJson(bounded(body, batchLimits.bodyBytes)),
  );
  for (const format of ['csv', 'jsonl'] as const) {
    app.addContentTypeParser([...contentTypes[format]], async (_request: FastifyRequest, body: Body) => ({
      payouts: await rowsOf(format, bounded(body, batchLimits.bodyBytes)),
    }));
  }
  const inFlight = new InFlight(batchLimits.atOnce);

  app.post(
    '/payout-batches',
    {
      config: { purpose: 'start', scopes: ['oms'] },
      bodyLimit: batchLimits.bodyBytes,
      preParsing: (request, reply, payload, done) => {
        const tooLarge = Number(request.headers['content-length']) > batchLimits.bodyBytes;
        if (tooLarge) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        else done(inFlight.take(request, reply) ? null : tooManyBatches(), payload);
      },
      schema: {
        tags,
        operationId: 'startPayoutBatch',
        summary:
          'Start up to 10,000 payouts; also as text/csv or application/x-ndjson, with batch_id in the query',
        body: payoutBatchBody,
        querystring: batchQuery,
        response: { 200: payoutBatchState, 202: payoutBatchState },
      },
      // Ten thousand rows are checked piece by piece further on, and each fault is reported with its row.
      validatorCompiler: ({ schema, httpPart }) =>
        httpPart === 'body' || !(schema instanceof z.ZodType)
          ? (body: unknown) => ({ value: body })
          : readBy(schema),
    },
    async (request, reply) => {
      const batch = batchIn(request);
      const { state, repeated } = await auditedStart(request, 'startPayoutBatch', batchIdIn(batch), () =>
        payments.startPayoutBatch(batch, startedFor(request)),
      );
      void reply.header('location', `/v1/payout-batches/${state.batch_id}`);
      return reply.code(repeated ? 200 : 202).send(state);
    },
  );

  app.get(
    '/payout-batches/:batch_id',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getPayoutBatch',
        summary: 'Show how far a batch has come; with ?payouts=true also the statuses of its payouts',
        params: batchParams,
        querystring: showQuery,
        response: { 200: payoutBatchState },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const payouts = query.payouts === 'true';
      // For ten thousand payouts twenty queries, and with their statuses a hundred searches.
      (payouts ? costlyReads : batchReads).begin(request, reply);
      if (!seesAll(request) && (await payments.payoutBatchOwner(params.batch_id)) !== request.caller?.name) {
        throw new BatchNotFoundError(batchPageId(params.batch_id, 1));
      }
      return payments.payoutBatch(params.batch_id, { payouts });
    },
  );
}

/** Its first page; of what is no batch_id nothing is repeated. */
function batchIdIn(batch: unknown): string {
  const { batch_id } = fieldsOf(batch);
  return typeof batch_id === 'string' && batchIdProblem(batch_id) === undefined
    ? batchPageId(batch_id, 1)
    : 'batch-(invalid)';
}

function batchIn({ headers, body, query }: Pick<FastifyRequest, 'headers' | 'body' | 'query'>): unknown {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  return isJson ? withHead(fieldsOf(body), fieldsOf(query)) : { ...fieldsOf(query), ...fieldsOf(body) };
}

function tooManyBatches(): HttpError {
  const detail =
    `This key is sending ${String(batchLimits.atOnce)} batches already. ` +
    'Nothing of this one was started; send it again when they are answered.';
  return new HttpError(429, 'too-many-batches', 'Too many batches at once', detail, { retryAfterSeconds: 1 });
}
