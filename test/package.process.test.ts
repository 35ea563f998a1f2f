import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf, publishedSchemas } from '../src/contract/schemas.js';
import { ownPort } from './support/own-port.js';
import { runProgram } from './processes/support/program.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

let app: string;
let installed: string;

/** What `npm install <tarball>` leaves in another project: the package, and beside it its declared dependencies. */
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'durable-payments-package-'));
  const packed = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', app], {
    cwd: root,
  });
  installed = join(app, 'node_modules/durable-payments');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(app, packed.stdout.trim()), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys((await ownManifest()).dependencies)) {
    const link = join(app, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
});

afterAll(() => rm(app, { recursive: true, force: true }));

const ownManifest = async () =>
  manifest.parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')));

/** The program of the package, as npm would link it. */
async function bin(): Promise<string> {
  const { bin: programs } = await ownManifest();
  return join(installed, programs['durable-payments'] ?? 'missing');
}

test('the package holds what its readers need, and neither tests nor sources', async () => {
  expect((await readdir(installed)).sort()).toEqual([
    'CHANGELOG.md',
    'README.md',
    'dist',
    'docs',
    'package.json',
  ]);
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
  const schemas: unknown = JSON.parse(await runScript('schemas.mjs', script));
  expect(schemas).toEqual(names.map((name) => jsonSchemaOf(name)));
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
      ...{ DATA_DIR: join(app, 'data'), GATEWAY_PORT: String(await ownPort()), POLL_SCALE: '0.05' },
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
  expect(JSON.parse(await runScript('oms.mjs', script))).toEqual({
    ...{ repeated: [false, true], conflict: true, status: 'done' },
  });
  expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

async function runScript(name: string, text: string): Promise<string> {
  await writeFile(join(app, name), text);
  return (await run(process.execPath, [name], { cwd: app })).stdout;
}
