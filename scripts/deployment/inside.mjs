// Runs in namespaces of its own, started by main.mjs: its processes, networks and files are gone with it.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkDeployment } from './checks.mjs';
import { readCompose } from './compose-file.mjs';
import { imagesOf, root } from './images.mjs';
import { createNetworks } from './networks.mjs';
import { publishPorts } from './published-ports.mjs';
import { createStack } from './stack.mjs';

const run = promisify(execFile);
const [temporalServer, temporalCli] = process.argv.slice(2);
const dir = '/run/deployment';
const startedAt = Date.now();
const report = (text) =>
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${text}`);

// What started this holds the other end: this ends with it, however that ends.
process.stdin.resume().once('end', () => process.exit(1));

await mkdir(dir, { recursive: true });
await writeProject();
await readCompose(dir, ['docker-compose.yml']);
const compose = await readCompose(dir, ['docker-compose.yml', 'docker-compose.monitoring.yml']);
report(`docker compose config: ${String(Object.keys(compose.services).length)} services`);
const networks = await createNetworks(dir, compose.networks);
const images = imagesOf({ temporalServer, temporalCli });
const stack = createStack({
  ...{ compose, images, networks, dir, report },
  replicas: { gateway: 2, worker: 2 },
});
if (stack.left.length > 0) report(`no program here, not started: ${stack.left.join(', ')}`);
try {
  await stack.up();
  await publishPorts({ compose, images, networks, dir });
  const faults = await checkDeployment({ stack, networks, dir, report });
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  report(faults.length === 0 ? 'everything came out as it should' : `${String(faults.length)} faults`);
  if (faults.length > 0) console.log(stack.tails());
  process.exit(faults.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error, stack.tails());
  process.exit(1);
}

/** The directory that the head of docker-compose.yml speaks of, with what its commands make. */
async function writeProject() {
  for (const file of ['docker-compose.yml', 'docker-compose.monitoring.yml', 'deploy'])
    await cp(join(root, file), join(dir, file), { recursive: true });
  const text = await readFile(join(dir, 'docker-compose.yml'), 'utf8');
  const head = text.slice(0, text.indexOf('Then `docker compose up'));
  const commands = [...head.matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line);
  // Payments that are looked at more often than real ones; `.env` is where a user would set it.
  commands.push('echo POLL_SCALE=0.05 >> .env');
  await run('sh', ['-euc', commands.join('\n')], { cwd: dir });
}
