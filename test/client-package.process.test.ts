import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as client from '../src/client.js';
import { paymentsService } from '../src/nexus.js';
import { installPackage, manifestIn, root } from './support/installed-package.js';

let project: Awaited<ReturnType<typeof installPackage>>;

/** The client as `npm run pack:client` packs it. */
beforeAll(async () => {
  project = await installPackage('durable-payments-client', (app) => [
    process.execPath,
    ['scripts/pack-client.mjs', app],
  ]);
});
afterAll(() => project.remove());

test('it exports what the whole package exports as its client', async () => {
  const script = `console.log(JSON.stringify(Object.keys(await import('durable-payments-client'))));`;
  expect(await project.runScript(script)).toEqual(Object.keys(client).sort());
});

test('it has the version, license and version ranges of the whole package, and depends on Temporal and zod alone', async () => {
  const [whole, light] = await Promise.all([manifestIn(root), manifestIn(project.installed)]);
  // nexus-rpc comes with @temporalio/client.
  const packages = ['@temporalio/client', '@temporalio/common', '@temporalio/proto', 'nexus-rpc', 'zod'];
  expect(light).toEqual({
    ...{ name: 'durable-payments-client', version: whole.version, license: whole.license },
    ...{ engines: whole.engines, bin: {} },
    dependencies: Object.fromEntries(packages.map((name) => [name, whole.dependencies[name]])),
  });
});

test('a workflow bundle takes its Nexus contract, and nothing of the client with it', async () => {
  // What the caller itself has.
  await project.link('@temporalio/workflow');
  const workflowsPath = join(project.app, 'workflows.mjs');
  await writeFile(workflowsPath, `export { paymentsService } from 'durable-payments-client/nexus';`);
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  for (const operation of Object.keys(paymentsService.operations)) expect(code).toContain(operation);
  expect(code).not.toMatch(/durable-payments-client\/dist\/src\/(client|contract|temporal)/);
});

test('it holds nothing of workers, of the gateway, or of the payments service', async () => {
  const folders = await readdir(join(project.installed, 'dist/src'), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(names.sort()).toEqual(['client', 'contract', 'domain', 'encryption', 'temporal']);
  expect(await readdir(join(project.installed, 'dist'))).toEqual(['src']);
});

test('it checks tax ids and pix keys, and brings the license of the library that does', async () => {
  const script = `
    import { createPaymentsClient } from 'durable-payments-client';
    const payments = createPaymentsClient({ client: {}, taskQueue: 'none' });
    const payout = { method: 'pix', partner_code: 'rent', value: 1, first_name: 'Ana', last_name: 'Lima' };
    const wrong = { ...payout, pix: 'nobody', document: '52998224726' };
    const error = await payments.startPayout(wrong).catch((error) => error);
    console.log(JSON.stringify({ name: error.name, fields: error.problems.map(({ field }) => field).sort() }));
  `;
  expect(await project.runScript(script)).toEqual({
    ...{ name: 'InvalidRequestError', fields: ['document', 'pix'] },
  });
  const licenses = await readdir(join(project.installed, 'licenses'), { recursive: true });
  expect(licenses).toContain('@brazilian-utils/brazilian-utils/LICENSE');
});

test('the failure converter is where the data converter looks for it', async () => {
  const script = `
    import { createRequire } from 'node:module';
    import { paymentsDataConverter } from 'durable-payments-client';
    const { failureConverterPath } = paymentsDataConverter('none');
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url)(failureConverterPath))));
  `;
  expect(await project.runScript(script)).toEqual(['failureConverter']);
});

test('its README is what ours says of the client, and links to nothing that is not in it', async () => {
  const readme = await readFile(join(project.installed, 'README.md'), 'utf8');
  expect(readme).toContain("from 'durable-payments-client'");
  expect([...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)).toEqual([]);
});
