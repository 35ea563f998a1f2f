import { expect, onTestFinished, test } from 'vitest';
import { omsKey, operatorKey } from '../gateway/call.js';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { codeBlocks, tableRows, textOf } from './markdown.js';
import { commands } from './page-commands.js';
import { optionValues } from './shell.js';

/** What `npm start` puts into files for curl. */
const headerFiles: Readonly<Record<string, string>> = {
  '@.data/shop.header': `Authorization: Bearer ${omsKey}`,
  '@.data/ana.header': `Authorization: Bearer ${operatorKey}`,
};
const address = 'http://127.0.0.1:8080';
const curls = commands
  // The pages that name the gateway by a variable are run as they stand, by tests of their own.
  .filter(({ words }) => words[0] === 'curl' && words.some((word) => word.startsWith(address)))
  .map(({ at, words }) => ({
    at,
    path: words.find((word) => word.startsWith(address))?.slice(address.length) ?? '',
    body: optionValues(words, '-d')[0] ?? fileIn(at, optionValues(words, '--data-binary')[0]),
    headers: Object.fromEntries(
      optionValues(words, '-H').map((header) => (headerFiles[header] ?? header).split(': ')),
    ) as Record<string, string>,
  }));

/** What stands in the same document as the file of that name. */
function fileIn(at: string, reference: string | undefined): string | undefined {
  return reference?.endsWith('.csv') === true ? codeBlocks(at.replace(/:.*/, ''), 'csv')[0]?.code : undefined;
}

function startGateway() {
  const { app, close } = gatewayWithoutTemporal();
  onTestFinished(close);
  return app;
}

test('there are requests to check', () => {
  expect(curls.length).toBeGreaterThan(5);
});

test('the table of addresses is the one of the published API', async () => {
  const published = (await startGateway().inject({ url: '/openapi.json' })).json<{
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
    const answer = await startGateway().inject({
      method: body === undefined ? 'GET' : 'POST',
      ...{ url: path, headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    // As far as Temporal, which is away.
    expect(answer.statusCode, answer.body).toBe(503);
  },
);
