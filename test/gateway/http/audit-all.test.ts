import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-log.js';
import { auditAll } from '../../../src/gateway/http/audit-all.js';
import { identifyCallers } from '../../../src/gateway/http/auth.js';

test('a POST that writes no line of its own is in the audit stream once, by whether it was answered well', async () => {
  const audit: AuditEntry[] = [];
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  identifyCallers(app, [], (entry) => audit.push(entry));
  auditAll(app);
  app.post('/well', { config: { command: 'doSomething' } }, () => ({}));
  app.post('/badly', (_request, reply) => reply.code(500).send({}));
  app.get('/well', () => ({}));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  for (const [method, path] of [
    ['POST', '/well'],
    ['GET', '/well'],
    ['POST', '/badly'],
  ] as const)
    await (await fetch(url + path, { method })).arrayBuffer();
  await app.close();
  const unknown = { key: null, address: '127.0.0.1' };
  expect(audit).toEqual([
    { ...unknown, command: 'doSomething', outcome: 'accepted' },
    { ...unknown, command: 'POST /badly', outcome: 'failed' },
  ]);
});
