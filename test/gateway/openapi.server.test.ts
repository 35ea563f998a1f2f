import { Client, Connection } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { CardStore } from '../../src/card-store/card-store.js';
import { publishedSchemas } from '../../src/contract/schemas.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { memoryLog } from './test-gateway.js';
import { neverOverloaded } from '../support/never-overloaded.js';

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

let connection: Connection;
let app: FastifyInstance;
let published: z.output<typeof document>;
beforeAll(async () => {
  connection = Connection.lazy({ address: '127.0.0.1:1' });
  app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-none'),
    apiKeys: [],
    postbackKeys: [],
    logger: memoryLog().logger,
    audit: () => undefined,
    taskQueue: 'none',
    limits: neverOverloaded,
  });
  published = document.parse((await app.inject({ url: '/openapi.json' })).json());
});
afterAll(async () => {
  await app.close();
  await connection.close();
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
