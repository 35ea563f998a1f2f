import { randomBytes, randomUUID } from 'node:crypto';
import { access, constants, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { jsonSchemaOf, publishedSchemas } from '../src/contract/schemas.js';
import { installPackage, manifestIn } from './support/installed-package.js';
import { ownPort } from './support/own-port.js';
import { runProgram } from './processes/support/program.js';

let project: Awaited<ReturnType<typeof installPackage>>;

beforeAll(async () => {
  project = await installPackage('durable-payments', (app) => [
    'npm',
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', app],
  ]);
});
afterAll(() => project.remove());

/** The program of the package, as npm would link it. */
async function bin(): Promise<string> {
  const { bin: programs } = await manifestIn(project.installed);
  return join(project.installed, programs['durable-payments'] ?? 'missing');
}

test('the package holds what its readers need, and neither tests nor sources', async () => {
  const held = (await readdir(project.installed)).sort();
  expect(held).toEqual(['CHANGELOG.md', 'README.md', 'dist', 'docs', 'package.json']);
  expect((await readFile(await bin(), 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
});

test('the program can be run as it is built, so that npx does it again after each build', async () => {
  await access(await bin(), constants.X_OK);
});

test('another project reads each published JSON Schema by its name', async () => {
  const names = Object.keys(publishedSchemas);
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const names = ${JSON.stringify(names)};
    console.log(JSON.stringify(names.map((name) => require('durable-payments/schemas/' + name + '.json'))));
  `;
  expect(await project.runScript(script)).toEqual(names.map((name) => jsonSchemaOf(name)));
});

test('another project runs the program, and pays with the client', async () => {
  const taskQueue = `package-${randomUUID()}`;
  const code = `package-${randomUUID()}`;
  const payloadKeys = `k1:${randomBytes(32).toString('base64')}`;
  const address = inject('temporalAddress');
  const program = runProgram(
    ['start'],
    {
      ...{ TEMPORAL_ADDRESS: address, PAYLOAD_KEYS: payloadKeys, PAYMENTS_TASK_QUEUE: taskQueue },
      ...{ DATA_DIR: join(project.app, 'data'), GATEWAY_PORT: String(await ownPort()), POLL_SCALE: '0.05' },
    },
    await bin(),
  );
  onTestFinished(() => void program.end('SIGKILL'));
  await program.prints('durable-payments is running');

  const script = `
    import { Client, Connection } from '@temporalio/client';
    import { PaymentConflictError, createPaymentsClient, paymentsDataConverter } from 'durable-payments/client';
    const connection = await Connection.connect({ address: '${address}' });
    const client = new Client({ connection, dataConverter: paymentsDataConverter('${payloadKeys}') });
    const payments = createPaymentsClient({ client, taskQueue: '${taskQueue}', pollScale: 0.05 });
    const request = {
      method: 'pix', partner_code: '${code}', value: 12.5, pix: 'ana.lima@example.com',
      first_name: 'Ana', last_name: 'Lima', document: '52998224725', watch_days: 0,
    };
    const first = await payments.startPayout(request);
    const again = await payments.startPayout(request);
    const other = await payments.startPayout({ ...request, value: 13 }).catch((error) => error);
    const state = await first.payment.awaitStatus({ statuses: ['done'], timeout_seconds: 30 });
    console.log(JSON.stringify({
      repeated: [first.repeated, again.repeated],
      conflict: other instanceof PaymentConflictError,
      status: state.status,
    }));
    await connection.close();
  `;
  expect(await project.runScript(script)).toEqual({
    ...{ repeated: [false, true], conflict: true, status: 'done' },
  });
  expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
