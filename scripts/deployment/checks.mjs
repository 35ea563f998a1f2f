import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { playDemo } from '../../dist/src/dev/demo/play.js';
import { createReporter } from '../../dist/src/dev/demo/reporter.js';
import { killAndAwait, paymentsUnderKills } from './payments-under-kills.mjs';
import { reachFaults } from './reach.mjs';

const gatewayUrl = 'http://127.0.0.1:8080';
const webUiUrl = 'http://127.0.0.1:8233';
const prometheusUrl = 'http://127.0.0.1:9090';
const longestScrapeMs = 150_000;
const longestRecoveryMs = 120_000;

/** Everything that is expected of the deployment; what is not as it should be, in words. */
export async function checkDeployment({ stack, networks, dir, report }) {
  const sandboxUrl = `http://${networks.addressesOf('sandbox-1')[0]}:8090`;
  const [apiKey] = /shop:(\w+)/.exec(await readFile(join(dir, 'secrets/api-keys'), 'utf8'))?.slice(1) ?? [];
  report(`all is up; the gateways are behind ${gatewayUrl}`);
  const demo = { gatewayUrl, sandboxUrl, apiKeys: [{ key: apiKey }], namespace: 'default' };
  const demoIsWell = await playDemo(demo, 'demo', createReporter());
  return [
    ...(await reachFaults({ stack, networks, report })),
    ...(demoIsWell ? [] : ['the demo did not come out as it should']),
    ...(await paymentsUnderKills({ stack, gatewayUrl, sandboxUrl, apiKey, report })),
    ...(await prometheusFaults({ stack, dir, report })),
    ...(await webUiFaults(report)),
    ...(await doctorFaults(stack, report)),
    ...(await oneShotFaults(stack, report)),
    ...(await sandboxFaults(stack, report)),
    ...(await stopFaults(stack, report)),
  ];
}

async function prometheusFaults({ stack, dir, report }) {
  const wanted = ['gateway', 'worker'].flatMap((name) => stack.containers(name)).length;
  const api = async (path) => (await (await fetch(`${prometheusUrl}/api/v1/${path}`)).json()).data;
  const deadline = Date.now() + longestScrapeMs;
  let targets = [];
  const up = () => targets.filter(({ health }) => health === 'up').length;
  while ((up() < wanted || targets.length > wanted) && Date.now() < deadline) {
    await sleep(1_000);
    targets = (await api('targets').catch(() => ({ activeTargets: [] }))).activeTargets;
  }
  report(`Prometheus: ${String(up())} targets are up, of ${String(wanted)}`);
  const { groups } = parse(await readFile(join(dir, 'deploy/prometheus/alerts.yml'), 'utf8'));
  const written = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted();
  const loaded = (await api('rules')).groups.flatMap(({ rules }) => rules.map(({ name }) => name)).toSorted();
  report(`Prometheus: ${String(loaded.length)} alert rules are loaded, of ${String(written.length)}`);
  // A gateway counts once a minute, and a count that a kill has cut short is taken again then.
  let payments = 0;
  while (payments === 0 && Date.now() < deadline) {
    await sleep(1_000);
    payments = Number(
      (await api('query?query=max(sum by (instance) (durable_payments_payments))')).result[0]?.value[1] ?? 0,
    );
  }
  report(`Prometheus: it knows of ${String(payments)} open payments`);
  return [
    ...(up() === wanted ? [] : [`Prometheus has the targets ${JSON.stringify(targets)}`]),
    ...(loaded.join() === written.join() ? [] : [`Prometheus has loaded ${loaded.join(', ')}`]),
    ...(payments > 0 ? [] : ['Prometheus knows of no open payments']),
  ];
}

/** The codec behind the Web UI's address answers to it, and to nobody else. */
async function webUiFaults(report) {
  const decode = (origin) =>
    fetch(`${webUiUrl}/codec/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ payloads: [] }),
    }).then(({ status }) => status);
  const [own, foreign] = [await decode(webUiUrl), await decode('http://elsewhere.example')];
  report(`codec behind the Web UI's address: ${String(own)}, to a page from elsewhere ${String(foreign)}`);
  return own === 200 && foreign === 403 ? [] : ['the codec behind the Web UI is not as it should be'];
}

/** The service forgets everything in memory, so it is killed last; its callers find it again. */
async function sandboxFaults(stack, report) {
  await killAndAwait(stack, 'sandbox', report);
  return doctorFaults(stack, report);
}

/** In each gateway and worker: it reaches Temporal, and the service through a forwarder in its own network. */
async function doctorFaults(stack, report) {
  const faults = [];
  for (const container of ['gateway', 'worker'].flatMap((name) => stack.containers(name))) {
    const deadline = Date.now() + longestRecoveryMs;
    let found = await doctorFaultsIn(container);
    // What was killed before may still be starting.
    while (found.length > 0 && Date.now() < deadline) {
      await sleep(5_000);
      found = await doctorFaultsIn(container);
    }
    report(`doctor in ${container.name}: ${String(found.length)} checks failed`);
    faults.push(...found);
  }
  return faults;
}

async function doctorFaultsIn(container) {
  const doctor = ['node', '/app/dist/src/cli/main.js', 'doctor', '--json'];
  const { stdout } = await container.exec(...doctor).catch((error) => error);
  const { checks = [] } = JSON.parse(stdout || '{}');
  if (checks.length === 0) return [`doctor in ${container.name} has checked nothing`];
  // Only the gateway and the sandbox have it on their loopback.
  const elsewhere = container.name.startsWith('worker') ? ['public_url'] : [];
  return checks
    .filter(({ name, ok }) => !ok && !elsewhere.includes(name))
    .map(({ name, detail }) => `doctor in ${container.name}: ${name}: ${detail}`);
}

/** What `docker compose up` runs each time finds its work done. */
async function oneShotFaults(stack, report) {
  const names = ['temporal-schema', 'temporal-namespace'];
  for (const name of names) {
    const [container] = stack.containers(name);
    container.start();
    await stack.until(name, 'service_completed_successfully');
  }
  report(`run again, with success: ${names.join(', ')}`);
  return [];
}

/** As `docker compose stop` does it: each has the time of its `stop_grace_period`, and needs less. */
async function stopFaults(stack, report) {
  const stopping = ['gateway', 'worker'].flatMap((name) => stack.containers(name));
  for (const container of stopping) container.stop();
  const deadline = Date.now() + 90_000;
  while (stopping.some(({ exitCode }) => exitCode === undefined) && Date.now() < deadline) await sleep(200);
  report(
    `stopped by SIGTERM: ${stopping.map(({ name, exitCode }) => `${name} ${String(exitCode)}`).join(', ')}`,
  );
  return stopping
    .filter(({ exitCode }) => exitCode !== 0)
    .map(({ name, exitCode }) => `${name} did not stop in good order: ${String(exitCode)}`);
}
