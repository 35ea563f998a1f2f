import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { loadOrGenerateKeys } from '../../src/config.js';
import * as messages from '../../src/contract/messages.js';
import { run } from '../cli/support/command-line.js';
import { runners } from './client-examples.js';
import { codeBlocks, documents, headings } from './markdown.js';
import {
  blocks,
  commands,
  commandsOfProgram,
  expectInHelp,
  notRun,
  notRunIn,
  otherPages,
  pages,
} from './page-commands.js';
import { pageStates } from './page-states.js';
import { optionValues } from './shell.js';

test('every command of a shell block is of a program that these tests know', () => {
  expect(commands.length).toBeGreaterThan(20);
  const deployment = ['docker', 'kubectl', 'systemctl'];
  const known = ['npm', 'npx', 'temporal', 'curl', 'export', 'git', 'env', ...deployment, ...runners];
  expect(
    commands.filter(({ words: [first = ''] }) => !known.includes(first) && !/^(ID|SANDBOX)=/.test(first)),
  ).toEqual([]);
});

test('every page with commands is run, by a test or by a command of its own', () => {
  const withCommands = documents().filter((document) => codeBlocks(document, 'sh').length > 0);
  expect(withCommands.toSorted()).toEqual([...pages, ...Object.keys(otherPages)].toSorted());
});

test('what is said of a section, or of a command that is not run, is about one that there is', () => {
  const sections = blocks.map(({ section }) => section);
  for (const section of [...Object.keys(pageStates), ...Object.keys(notRunIn)])
    expect(sections).toContain(section);
  const commands = blocks.flatMap((block) => block.commands);
  for (const start of Object.keys(notRun)) expect(commands.some((code) => code.startsWith(start))).toBe(true);
});

test('the tutorial has numbered steps', () => {
  const numbers = headings('docs/tutorial.md').flatMap((heading) => /^\d+/.exec(heading)?.map(Number) ?? []);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('every npm script that is named is there', () => {
  const builtIn = ['audit', 'ci', 'install', 'pack', 'prune', 'i'];
  for (const { at, words } of commandsOfProgram('npm')) {
    const name = words[1] === 'run' ? words[2] : words[1];
    if (name !== undefined && !builtIn.includes(name))
      expect(Object.keys(packageJson.scripts), at).toContain(name);
  }
});

test('every command and option of ours that is named is in its help', async () => {
  const ours = ['npx', 'durable-payments'].flatMap(commandsOfProgram).flatMap(({ at, words }) => {
    const from = words[0] === 'npx' ? words.slice(1) : words;
    if (from[0] !== 'durable-payments' || from.length === 1) return [];
    return [{ at, words, command: nounAndVerb(from.slice(1)) }];
  });
  await expectInHelp(ours, 'Usage: durable-payments', async (...args) => (await run(args, {})).output);
});

test('every message in a command for Temporal is one that its schema takes', () => {
  const schemas = new Map<string, unknown>(Object.entries(messages));
  const sent = commandsOfProgram('temporal').flatMap(({ at, words }) =>
    optionValues(words, '--input').map((input) => ({
      at,
      input,
      name: optionValues(words, '--name')[0] ?? '',
    })),
  );
  expect(sent.length).toBeGreaterThan(3);
  for (const { at, name, input } of sent) {
    const schema = z
      .instanceof(z.ZodType)
      .parse(schemas.get(name), { error: () => `${at}: there is no ${name}` });
    expect(schema.safeParse(JSON.parse(input)), `${at}: ${name}`).toMatchObject({ success: true });
  }
});

test('the files with headers that commands name are those that `npm start` has made', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-docs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { apiKeys } = loadOrGenerateKeys(join(dir, '.data'));
  const named = new Set(
    commands.flatMap(({ words }) => optionValues(words, '-H').filter((value) => value.startsWith('@.data/'))),
  );
  expect([...named].toSorted()).toEqual(['@.data/ana.header', '@.data/shop.header']);
  for (const file of named) {
    const name = file.replace(/.*\/(.*)\.header/, '$1');
    const key = apiKeys.find((each) => each.name === name)?.key;
    expect(await readFile(join(dir, file.slice(1)), 'utf8')).toBe(`Authorization: Bearer ${String(key)}\n`);
  }
});

/** `payout retry`, or `start`. */
function nounAndVerb(words: readonly string[]): string {
  const groups = ['payout', 'order', 'refund', 'batch', 'bulk-retry', 'validation', 'webhook'];
  return words.slice(0, groups.includes(words[0] ?? '') ? 2 : 1).join(' ');
}
