// Checks the manifests of deploy/kubernetes: built by kustomize for each way to reach Temporal, validated by the code of
// Kubernetes' own API server (kubectl-validate, which holds the schemas), scored by kube-score, and read as a
// configuration by this program. Usage: npm run check:kubernetes
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../dist/src/config.js';
import { runTool } from '../../dist/src/dev/embedded-temporal/run-tool.js';
import { withProgress } from '../progress.mjs';
import { goTool } from './go-tool.mjs';
import { root } from './images.mjs';

const modules = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
  validate: 'sigs.k8s.io/kubectl-validate@v0.0.4',
  score: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
};
const inOneNetwork = '      - TEMPORAL_PLAINTEXT=true\n';
/** What stands in the example for each way to reach Temporal. */
const ways = [
  { way: 'API key', components: '[../temporal-cloud-api-key]' },
  { way: 'mTLS', components: '[../temporal-cloud-mtls]' },
  { way: 'plaintext', components: '[]', literals: inOneNetwork },
];

const env = process.env;
const tools = await withProgress('Getting kustomize, kubectl-validate, kube-score', async (report) => {
  const found = {};
  for (const [name, module] of Object.entries(modules)) found[name] = await goTool(module, env, report);
  return found;
});
const dir = await mkdtemp(join(tmpdir(), 'kubernetes-'));
try {
  await cp(join(root, 'deploy/kubernetes'), join(dir, 'kubernetes'), { recursive: true });
  const example = join(dir, 'kubernetes/example/kustomization.yaml');
  const written = await readFile(example, 'utf8');
  for (const { way, components, literals = '' } of ways) {
    const text = written.replace(/^components: .*$/m, `components: ${components}`);
    await writeFile(example, `${text.trimEnd()}\n${literals}`);
    await check(way);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(dir, { recursive: true });
}

async function check(way) {
  const built = await runTool(tools.kustomize, ['build', join(dir, 'kubernetes/example')], { env });
  const file = join(dir, 'built.yaml');
  await writeFile(file, built);
  await runTool(tools.validate, [file], { env });
  await runTool(tools.score, ['score', '--output-format', 'ci', '--exit-one-on-warning', file], { env });
  const objects = parseAllDocuments(built).map((document) => document.toJS());
  const settings = objects.find(({ kind }) => kind === 'ConfigMap').data;
  for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Deployment'))
    await checkConfiguration(metadata.name.replace('durable-payments-', ''), settings, spec.template.spec);
  await refusesASlip(built, file);
  console.log(
    `Temporal by ${way}: ${String(objects.length)} objects are valid, and are a configuration that works`,
  );
}

/** What its environment is in the pod, with secrets that work. */
async function checkConfiguration(role, settings, { containers, volumes }) {
  const [{ args, env: variables }] = containers;
  if (args[0] !== role) throw new Error(`${role} runs ${args.join(' ')}`);
  const mounted = volumes.flatMap(({ secret }) => secret?.items?.map(({ path }) => path) ?? []);
  const pod = { ...settings };
  for (const { name, value } of variables) {
    pod[name] = value.startsWith('/run/secrets/') ? await secretFile(value) : value;
    const [, file = ''] = /^\/run\/secrets\/durable-payments\/(.+)$/.exec(value) ?? [];
    if (file !== '' && mounted.length > 0 && !mounted.includes(file))
      throw new Error(`${role} reads ${file}, which is not mounted`);
  }
  loadConfig(pod, role);
}

async function secretFile(path) {
  const key = randomBytes(32);
  const contents = {
    'api-keys': `shop:${key.toString('hex')}:oms`,
    'payload-keys': `k1:${key.toString('base64')}`,
    'postback-keys': `k1:${key.toString('base64')}`,
  };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const file = join(dir, name);
  await writeFile(file, contents[name] ?? key.toString('hex'));
  return file;
}

/** That the validator refuses something shows that it looks. */
async function refusesASlip(built, file) {
  await writeFile(file, built.replace('maxUnavailable:', 'maxUnavailabel:'));
  const refused = await runTool(tools.validate, [file], { env }).then(
    () => false,
    () => true,
  );
  if (!refused) throw new Error('kubectl-validate has accepted a field that does not exist.');
}
