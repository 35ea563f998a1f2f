import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { incidents } from '../../src/dev/demo/incidents/incidents.js';
import type { IncidentStack } from '../../src/dev/demo/incidents/incident.js';
import { lookAt } from '../../src/dev/demo/incidents/verdict.js';
import { ownPort } from '../support/own-port.js';
import { runProgram } from '../processes/support/program.js';
import type { Program } from '../processes/support/program.js';
import { headings, section, textOf } from './markdown.js';
import { expectShown, runSteps, stackBeside, stepsIn } from './transcript.js';

vi.setConfig(longTests);

const page = textOf('docs/incidents.md');
const documented = incidents.map((incident, index) => {
  const heading = `${String(index + 1)}. ${incident.title}`;
  return { ...incident, heading, text: section(page, heading.replaceAll('.', String.raw`\.`)) };
});

test('each incident has its section, and nothing else has', () => {
  const numbered = headings('docs/incidents.md').filter((heading) => /^\d/.test(heading));
  expect(numbered).toEqual(documented.map(({ heading }) => heading));
  expect(numbered).toHaveLength(12);
});

test.each(documented)('$heading: all that there is to know about it, in order', ({ symptom, text }) => {
  expect(text.split('\n').find((line) => line.startsWith('> '))).toBe(`> ${symptom}`);
  expect([...text.matchAll(/^\*\*([\w ]+)\.\*\*/gm)].map(([, part]) => part)).toEqual([
    ...['Diagnosis', 'Cause', 'Solution', 'The money', 'Prevention'],
  ]);
});

describe('the documented commands, on the stack of the first incident', () => {
  let dir: string;
  let program: Program;
  let env: Record<string, string>;
  let stack: IncidentStack;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'durable-payments-incidents-'));
    program = runProgram(['demo', '--incident', '1'], {
      TMPDIR: dir,
      GATEWAY_PORT: String(await ownPort()),
      TEMPORAL_UI_PORT: String(await ownPort()),
    });
    await program.prints('Ctrl-C ends it and leaves\nnothing behind.');
    const exported = program.output().matchAll(/^ {2}export (\w+)=(.*)$/gm);
    env = Object.fromEntries([...exported].map(([, name = '', value = '']) => [name, value]));
    stack = stackBeside(env.DATA_DIR ?? '', env.GATEWAY ?? '', env.SANDBOX ?? '');
  });

  afterAll(async () => {
    await program.end('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  test('the program tells what others see, and where the solution stands', () => {
    const [first] = documented;
    expect(program.output().replaceAll(/\s+/g, ' ')).toContain(first?.symptom);
    expect(program.output()).toContain('docs/incidents.md#1-a-supplier-has-not-been-paid');
    const long = program
      .output()
      .split('\n')
      .filter((line) => line.length > 80 && !line.includes(dir));
    expect(long).toEqual([]);
  });

  test.each(documented)('$heading: they print what is shown, and solve it', async (incident) => {
    if (incident !== documented[0]) await incident.setUp(stack);
    const steps = stepsIn(incident.text);
    expectShown(steps, await runSteps(steps, dir, env));
    await expect.poll(() => lookAt(incident, stack)).toMatchObject({ outcome: 'solved' });
  });

  test('the program has reported its own as solved, and leaves nothing behind', async () => {
    expect(program.output()).toContain('Solved:');
    expect(program.output()).toContain('supplier-2101: done; at the service: done');
    expect(await program.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect((await readdir(dir)).filter((name) => name !== 'bin')).toEqual([]);
  });
});
