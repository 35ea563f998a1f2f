import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Program } from '../processes/support/program.js';
import { createHome } from '../processes/support/started.js';
import type { Home } from '../processes/support/started.js';
import { headings, textOf } from './markdown.js';
import { asShown, runSteps, stepsIn } from './transcript.js';

const document = 'docs/tutorial.md';
const start = '```sh\nnpm start\n```';
/** What stands before the first `npm start`, and after each. */
const [, first = '', second = ''] = textOf(document).split(start);

let dir: string;
let home: Home;
let program: Program;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'durable-payments-tutorial-'));
  home = await createHome();
  await symlink(home.env.DATA_DIR ?? '', join(dir, '.data'));
  program = await home.start();
});

afterAll(async () => {
  await program.end('SIGKILL');
  await home.remove();
  await rm(dir, { recursive: true, force: true });
});

test('its steps are numbered', () => {
  const numbered = headings(document).filter((heading) => /^\d/.test(heading));
  expect(numbered.map((heading) => Number.parseInt(heading, 10))).toEqual(
    numbered.map((_, index) => index + 1),
  );
});

test('each command prints what is shown, and after a restart everything is still there', async () => {
  const [started = ''] = /^durable-payments is running.*?(?=^```)/ms.exec(first) ?? [];
  expect(program.output()).toMatch(asShown(here(started)));
  await play(first);
  expect(await program.end('SIGINT')).toEqual({ code: 0, signal: null });
  program = await home.start();
  await play(second);
});

async function play(text: string): Promise<void> {
  const steps = stepsIn(here(text));
  expect(steps.length).toBeGreaterThan(0);
  const printed = await runSteps(steps, { dir, env: {} });
  for (const [index, { shown }] of steps.entries()) {
    if (shown !== null) expect(printed[index]).toMatch(asShown(shown));
  }
}

/** With the gateway where this test has it. */
function here(text: string): string {
  return text.replaceAll('127.0.0.1:8080', `127.0.0.1:${home.env.GATEWAY_PORT ?? ''}`);
}
