import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadOrGenerateKeys } from '../../src/config.js';
import * as messages from '../../src/contract/messages.js';
import { locateTemporal } from '../../src/dev/embedded-temporal/locate.js';
import { run as ran } from '../cli/support/command-line.js';
import { codeBlocks, documents, prose, root } from './markdown.js';
import { runners } from './client-examples.js';
import { commandsOf, optionValues } from './shell.js';

const run = promisify(execFile);
const commands = documents()
  .flatMap((document) => codeBlocks(document, 'sh'))
  .flatMap(({ at, code }) => commandsOf(code).map((words) => ({ at, words })));
const inline = documents().flatMap((document) =>
  [...prose(document).matchAll(/`((?:npm|npx|temporal|durable-payments) [^`]+)`/g)].map(([, code = '']) => ({
    at: document,
    words: commandsOf(code)[0] ?? [],
  })),
);
const all = [...commands, ...inline];
const of = (program: string) => all.filter(({ words }) => words[0] === program);

test('every command of a shell block is of a program that these tests know', () => {
  expect(commands.length).toBeGreaterThan(20);
  const deployment = ['docker', 'kubectl', 'systemctl'];
  const known = ['npm', 'npx', 'temporal', 'curl', 'export', 'git', 'env', ...deployment, ...runners];
  expect(
    commands.filter(({ words: [first = ''] }) => !known.includes(first) && !/^(ID|SANDBOX)=/.test(first)),
  ).toEqual([]);
});

test('every npm script that is named is there', async () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const builtIn = ['audit', 'ci', 'install', 'pack', 'prune', 'i'];
  for (const { at, words } of of('npm')) {
    const name = words[1] === 'run' ? words[2] : words[1];
    if (name !== undefined && !builtIn.includes(name)) expect(Object.keys(scripts), at).toContain(name);
  }
});

test('every command and option of ours that is named is in its help', async () => {
  const ours = all.flatMap(({ at, words }) => {
    const from = words[0] === 'npx' ? words.slice(1) : words;
    return from[0] === 'durable-payments' && from.length > 1 ? [{ at, words: from.slice(1) }] : [];
  });
  const helps = new Map<string, string>();
  for (const command of new Set(ours.map(({ words }) => nounAndVerb(words)))) {
    helps.set(command, (await ran([...command.split(' '), '--help'], {})).output);
  }
  for (const { at, words } of ours) {
    const command = nounAndVerb(words);
    const help = helps.get(command) ?? '';
    expect(help, at).toContain(`Usage: durable-payments ${command} `);
    for (const option of optionsOf(words)) expect(help, `${at}: ${command}`).toContain(option);
  }
});

test('every command and option of Temporal that is named is in its help', async () => {
  const temporal = await locateTemporal(process.env, () => undefined);
  const named = of('temporal').filter(({ words }) => words.length > 2);
  expect(named.length).toBeGreaterThan(5);
  const helps = new Map<string, string>();
  for (const { at, words } of named) {
    const command = leadingNames(words.slice(1)).join(' ');
    const help = helps.get(command) ?? (await run(temporal, [...command.split(' '), '--help'])).stdout;
    helps.set(command, help);
    expect(help, at).toContain(`temporal ${command} `);
    for (const option of optionsOf(words)) expect(help, `${at}: ${command}`).toContain(option);
  }
});

test('every message in a command for Temporal is one that its schema takes', () => {
  const schemas = new Map<string, unknown>(Object.entries(messages));
  const sent = of('temporal').flatMap(({ at, words }) =>
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

function leadingNames(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  return words.slice(0, end < 0 ? undefined : end);
}

function optionsOf(words: readonly string[]): string[] {
  return words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0] ?? word);
}
