import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectDevServer } from '../support/temporal-dev-server.js';
import { newCode } from './requests.js';
import { call, operatorKey, startGatewayOn } from './test-gateway.js';

const schema = z.object({ $ref: z.string().default('') });
const requestBody = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });
const post = z.object({ operationId: z.string(), requestBody: requestBody.optional() });
const named = z.object({ examples: z.array(z.unknown()).default([]) });
const document = z.object({
  paths: z.record(z.string(), z.object({ post: post.optional() })),
  components: z.object({ schemas: z.record(z.string(), named) }),
});

/** They move no money and decide nothing. */
const unaudited = ['storeCard', 'issueThreeDSecureToken'];

/** Bodies of which the document has no example. */
const unnamed = { reason: 'why' };
const bulkRetry = { ...unnamed, bulk_retry_id: '', dry_run: true };

test('each start and command of the OpenAPI document is in the audit stream once, whatever comes of it', async ({
  onTestFinished,
}) => {
  // Without a worker: what is started stands still until it is ended here.
  const server = await connectDevServer();
  const gateway = await startGatewayOn(server);
  onTestFinished(async () => {
    const ids = gateway.audit
      .filter(({ outcome }) => outcome === 'started')
      .map((entry) => entry.workflow_id);
    for (const id of ids) await server.client.workflow.getHandle(id ?? '').terminate('test');
    await gateway.close();
    await server.close();
  });
  const headers = { 'content-type': 'application/json', prefer: 'wait=0' };
  const { components, paths } = document.parse((await call(gateway.url, 'GET', '/openapi.json')).body);
  const left: string[] = [];
  for (const [path, { post: operation }] of Object.entries(paths)) {
    if (operation === undefined || !path.startsWith('/v1/')) continue;
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    const example = components.schemas[$ref.replace(/.*\//, '')]?.examples[0] ?? unnamed;
    const body = operation.operationId === 'startBulkRetry' ? bulkRetry : example;
    const code = `${newCode()}x`;
    const raw = JSON.stringify(body).replaceAll(/"(partner_code|\w+_id)":"[^"]*"/g, `"$1":"${code}"`);
    const before = gateway.audit.length;
    const address = path.replaceAll(/\{\w+\}/g, code);
    await call(gateway.url, 'POST', address, { key: operatorKey, raw, headers });
    const [entry, ...others] = gateway.audit.slice(before);
    expect(others, path).toEqual([]);
    if (entry === undefined) left.push(operation.operationId);
    else expect(entry.outcome, path).toMatch(/^(started|not found|not-found|invalid-request)$/);
  }
  expect(gateway.audit.length).toBeGreaterThan(15);
  expect(left).toEqual(unaudited);
});
