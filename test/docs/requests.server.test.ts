import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { memoryLog, omsKey, operatorKey } from '../gateway/test-gateway.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import { codeBlocks, documents, tableRows, textOf } from './markdown.js';
import { commandsOf, optionValues } from './shell.js';
import { neverOverloaded } from '../support/never-overloaded.js';

/** What `npm start` puts into files for curl. */
const headerFiles: Readonly<Record<string, string>> = {
  '@.data/shop.header': `Authorization: Bearer ${omsKey}`,
  '@.data/ana.header': `Authorization: Bearer ${operatorKey}`,
};
const address = 'http://127.0.0.1:8080';
const curls = documents()
  .flatMap((document) =>
    codeBlocks(document, 'sh').flatMap(({ at, code }) =>
      commandsOf(code).map((words) => ({ document, at, words })),
    ),
  )
  // The pages that name the gateway by a variable are run as they stand, by tests of their own.
  .filter(({ words }) => words[0] === 'curl' && words.some((word) => word.startsWith(address)))
  .map(({ document, at, words }) => ({
    at,
    path: words.find((word) => word.startsWith(address))?.slice(address.length) ?? '',
    body: optionValues(words, '-d')[0] ?? fileIn(document, optionValues(words, '--data-binary')[0]),
    headers: Object.fromEntries(
      optionValues(words, '-H').map((header) => (headerFiles[header] ?? header).split(': ')),
    ) as Record<string, string>,
  }));

/** What stands in the same document as the file of that name. */
function fileIn(document: string, reference: string | undefined): string | undefined {
  return reference?.endsWith('.csv') === true ? codeBlocks(document, 'csv')[0]?.code : undefined;
}

let server: DevServer;
let cardStore: CardStore;
let gateway: ReturnType<typeof createGateway>;

beforeAll(async () => {
  server = await connectDevServer();
  cardStore = new CardStore(`card-store-${randomUUID()}`);
  gateway = createGateway({
    client: server.client,
    cardStore,
    apiKeys: [
      { name: 'shop', key: omsKey, scopes: ['oms'] },
      { name: 'ana', key: operatorKey, scopes: ['operator'] },
    ],
    postbackKeys: [Buffer.alloc(32, 5)],
    logger: memoryLog().logger,
    taskQueue: server.taskQueue,
    limits: neverOverloaded,
  });
});

afterAll(async () => {
  await gateway.close();
  await cardStore.close();
  for (const { workflowId, runId } of server.started.take()) {
    await server.client.workflow.getHandle(workflowId, runId).terminate('The test is over.');
  }
  await server.close();
});

test('there are requests to check', () => {
  expect(curls.length).toBeGreaterThan(5);
});

test('the table of addresses is the one of the published API', async () => {
  const published = (await gateway.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, Record<string, unknown>>;
  }>();
  const addresses = Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
  );
  const listed = tableRows(textOf('docs/http-api.md'), 'address').map(([first]) => first);
  expect(listed.sort()).toEqual(addresses.sort());
});

test.each(curls)(
  '$at: the request to $path is one that the gateway takes',
  async ({ path, body, headers }) => {
    // Under a code of its own: a start starts, a command finds the route and no payment, and a list is answered.
    const code = randomUUID();
    const own = (text: string) => text.replaceAll(/\b(rents?|order|outage)-[\w-]*\w/g, `$&-${code}x`);
    // No worker is there to answer.
    const { Prefer: _waits, ...sent } = headers;
    const answer = await gateway.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: own(path),
      headers: { ...sent, prefer: 'wait=0' },
      ...(body === undefined ? {} : { payload: own(body) }),
    });
    const starts = /partner_code|bulk_retry_id|resend_id/.test(body ?? '');
    const lists = path.startsWith('/v1/changes?');
    expect(answer.statusCode, answer.body).toBe(starts ? 202 : lists ? 200 : 404);
    if (!starts && !lists)
      expect(answer.body).toMatch(
        /No (payment|bulk retry|resend) is known under this (partner_code|bulk_retry_id|resend_id)/,
      );
  },
);
