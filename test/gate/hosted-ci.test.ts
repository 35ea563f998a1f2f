import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const job = z.object({ steps: z.array(z.object({ run: z.string().optional() })) });
const quick = job.extend({ strategy: z.object({ matrix: z.object({ node: z.array(z.string()) }) }) });
const full = job.extend({
  strategy: z.object({
    matrix: z.object({ include: z.array(z.object({ job: z.string(), node: z.string() })) }),
  }),
});
const workflow = z.object({
  on: z.object({ push: z.null(), pull_request: z.null(), schedule: z.array(z.object({ cron: z.string() })) }),
  jobs: z.object({ quick, full }),
});
const { jobs } = workflow.parse(parse(readFileSync('.github/workflows/ci.yml', 'utf8')));
const script = readFileSync('.ci/run', 'utf8');
const commands = ({ steps }: z.infer<typeof job>) => steps.flatMap(({ run }) => run ?? []);

test('hosted CI runs the quick gate and everything else by .ci/run', () => {
  expect(commands(jobs.quick)).toEqual(['.ci/run']);
  expect(commands(jobs.full)).toEqual(['.ci/run ${{ matrix.job }}']);
  const named = [...script.matchAll(/^# {3}\.ci\/run ([\w-]+)/gm)].map(([, mode]) => mode);
  expect(new Set(jobs.full.strategy.matrix.include.map(({ job: mode }) => mode))).toEqual(new Set(named));
});

test('hosted CI runs both gates on the oldest Node that users may have, and on the one of the image', () => {
  const image = readFileSync('.nvmrc', 'utf8').trim();
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const readme = readFileSync('README.md', 'utf8');
  const [, requirement = ''] = /^Node (.*?), on Linux/m.exec(readme) ?? [];
  for (const version of engines.node.match(/\d+(?:\.\d+)?/g) ?? []) expect(requirement).toContain(version);
  const nodes = [/[\d.]+/.exec(engines.node)?.[0], image];
  expect(jobs.quick.strategy.matrix.node).toEqual(nodes);
  const ofFull = jobs.full.strategy.matrix.include.filter(({ job: mode }) => mode === 'full');
  expect(ofFull.map(({ node }) => node)).toEqual(nodes);
});
