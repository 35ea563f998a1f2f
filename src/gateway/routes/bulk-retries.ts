import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  bulkRetryBody,
  bulkRetryCommandBody,
  bulkRetryId,
  bulkRetryLine,
  bulkRetryState,
} from '../../contract/bulk-retry.js';
import type { BulkRetryBody } from '../../contract/bulk-retry.js';
import type { BulkRetryHandle } from '../../client.js';
import { bulkRetryCsv, bulkRetryCsvHead } from '../../client/bulk-retry-csv.js';
import { BulkRetryNotFoundError } from '../../client/errors.js';
import { bulkRetryWorkflowId } from '../../domain/ids.js';
import type { GatewayApp, GatewayServices } from '../app.js';
import { audited, auditedStart, signed } from '../payments/commands.js';
import { ownerFor, seesAll, startedFor } from '../payments/ownership.js';

const tags = ['payouts'];
const params = z.object({ bulk_retry_id: bulkRetryId });

/** A hundred thousand lines are read from Temporal page by page. */
const reportMs = 600_000;

/** A stream, which the types of a schema do not know. */
const reportAnswers: unknown = {
  200: {
    description: 'A line a payout, in the order of their selection',
    content: {
      'application/x-ndjson': { schema: bulkRetryLine },
      'text/csv': { schema: z.string() },
    },
  },
};

/** POST /v1/bulk-retries, GET …/{bulk_retry_id} and …/report, POST …/pause, /resume and /stop. */
export function bulkRetryRoutes(app: GatewayApp, { costlyReads, payments }: GatewayServices): void {
  app.post(
    '/bulk-retries',
    {
      config: { purpose: 'start' },
      schema: {
        tags,
        operationId: 'startBulkRetry',
        summary: 'Retry failed payouts by the thousand; with dry_run only select and count them',
        body: bulkRetryBody,
        response: { 200: bulkRetryState, 202: bulkRetryState },
      },
    },
    async (request, reply) => {
      const workflowId = bulkRetryWorkflowId(request.body.bulk_retry_id);
      const { repeated, state } = await auditedStart(request, 'startBulkRetry', workflowId, () =>
        payments.startBulkRetry(signed(request, ofCaller(request, request.body)), startedFor(request)),
      );
      void reply.header('location', `/v1/bulk-retries/${state.bulk_retry_id}`);
      return reply.code(repeated ? 200 : 202).send(state);
    },
  );

  app.get(
    '/bulk-retries/:bulk_retry_id',
    {
      config: { purpose: 'read' },
      schema: {
        tags,
        operationId: 'getBulkRetry',
        summary: 'Show how far a bulk retry is: counts and sums by outcome and by cause',
        params,
        response: { 200: bulkRetryState },
      },
    },
    async (request) => (await reachable(request, payments.bulkRetry(request.params.bulk_retry_id))).state(),
  );

  app.get(
    '/bulk-retries/:bulk_retry_id/report',
    {
      config: { purpose: 'read', answerMs: reportMs },
      schema: {
        tags,
        operationId: 'getBulkRetryReport',
        summary: 'The outcome of each payout, as JSON lines or, with Accept: text/csv, as CSV',
        params,
        response: reportAnswers,
      },
    },
    async (request, reply) => {
      costlyReads.begin(request, reply);
      const bulkRetry = await reachable(request, payments.bulkRetry(request.params.bulk_retry_id));
      // Whether it exists has to be known before the first byte.
      await bulkRetry.state();
      const isCsv = /\btext\/csv\b/i.test(request.headers.accept ?? '');
      void reply.type(isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
      const lines = Readable.from(isCsv ? asCsv(bulkRetry) : asJsonLines(bulkRetry));
      // Its client may leave while a page is read: until that has ended, so has not this.
      const ended = new Promise((resolve) => lines.once('close', resolve));
      void reply.send(lines);
      await ended;
      return reply;
    },
  );

  for (const name of ['pause', 'resume', 'stop'] as const) {
    app.post(
      `/bulk-retries/:bulk_retry_id/${name}`,
      {
        config: { purpose: 'command' },
        schema: {
          tags,
          operationId: `${name}BulkRetry`,
          summary: summaries[name],
          params,
          body: bulkRetryCommandBody,
          response: { 200: bulkRetryState },
        },
      },
      async (request) => {
        const { bulk_retry_id: id } = params.parse(request.params);
        const command = signed(request as FastifyRequest, bulkRetryCommandBody.parse(request.body));
        return audited(request as FastifyRequest, `${name}BulkRetry`, bulkRetryWorkflowId(id), async () =>
          (await reachable(request, payments.bulkRetry(id)))[name](command),
        );
      },
    );
  }
}

const summaries = {
  pause: 'Retry no more until it is resumed; answered when no retry is under way',
  resume: 'Go on after a pause, or after it has stopped by itself',
  stop: 'Retry no more, for good; answered when no retry is under way',
} as const;

/** A caller who does not see everything retries only what it has started itself. */
function ofCaller(request: FastifyRequest, body: BulkRetryBody): BulkRetryBody {
  const owner = ownerFor(request, 'filter.owner', body.filter?.owner);
  return seesAll(request) ? body : { ...body, filter: { ...body.filter, owner } };
}

/** @throws BulkRetryNotFoundError also when someone else started it: the caller learns nothing of it */
async function reachable(
  request: Pick<FastifyRequest, 'caller' | 'workflowId'>,
  bulkRetry: BulkRetryHandle,
): Promise<BulkRetryHandle> {
  request.workflowId = bulkRetry.workflowId;
  if (seesAll(request) || (await bulkRetry.owner()) === request.caller?.name) return bulkRetry;
  throw new BulkRetryNotFoundError(bulkRetry.workflowId);
}

async function* asJsonLines(bulkRetry: BulkRetryHandle): AsyncGenerator<string> {
  for await (const lines of bulkRetry.report()) {
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

async function* asCsv(bulkRetry: BulkRetryHandle): AsyncGenerator<string> {
  yield bulkRetryCsvHead;
  for await (const lines of bulkRetry.report()) yield bulkRetryCsv(lines);
}
