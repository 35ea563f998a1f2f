import { beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { publishedSchemas } from '../../src/contract/schemas.js';
import { gatewayWithoutTemporal, test } from '../support/gateway-without-temporal.js';

const parameter = z.object({ name: z.string(), in: z.string() });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(parameter).default([]),
  responses: z.record(z.string(), z.looseObject({ headers: z.record(z.string(), z.unknown()).optional() })),
});
const document = z.object({
  servers: z.array(z.object({ url: z.string() })).min(1),
  info: z.object({ description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).optional() })),
  }),
});

let published: z.output<typeof document>;
beforeAll(async () => {
  const { app, close } = gatewayWithoutTemporal();
  published = document.parse((await app.inject({ url: '/openapi.json' })).json());
  await close();
});

const operations = () => Object.values(published.paths).flatMap((path) => Object.values(path));

test('each operation has an id of its own, and says what it answers and which key it takes', () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { description, responses } of operations()) {
    expect(description).toMatch(/Takes a key with the scope/);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '429', '500', '503']),
    );
  }
});

test('each start takes Prefer, and says where its payment is read', () => {
  const starts = operations().filter(({ operationId }) => operationId.startsWith('start'));
  expect(starts.length).toBeGreaterThan(6);
  for (const { parameters, responses } of starts) {
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'Prefer', in: 'header' }));
    expect(responses['200']?.headers).toHaveProperty('location');
    expect(responses).toHaveProperty('409');
  }
});

test('each example of a body or an answer is one, by the schema that reads or writes it', () => {
  const nameOf = (name: string) =>
    name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const schemas = new Map(Object.entries(publishedSchemas).map(([name, schema]) => [nameOf(name), schema]));
  let checked = 0;
  for (const [name, { examples = [] }] of Object.entries(published.components.schemas)) {
    for (const example of examples) {
      expect(schemas.get(name)?.safeParse(example).error, name).toBeUndefined();
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(20);
});

test('anyone finds the OpenAPI document, its reference and the schemas', async ({ gateway }) => {
  const get = (path: string) => gateway.call('GET', path, { key: null });
  const { body } = await get('/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const pix = body.paths['/v1/payouts/pix']?.post;
  expect(pix?.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/PixPayoutBody',
  });
  expect((await get('/docs/')).status).toBe(200);
  const { body: list } = await get('/schemas');
  for (const path of list.schemas) {
    const schema = await get(path);
    expect(schema.body).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  }
  expect((await get('/schemas/constructor')).status).toBe(404);
});
