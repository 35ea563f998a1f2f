import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { locateTemporal } from '../../src/dev/embedded-temporal/locate.js';
import { commandsOfProgram, expectInHelp } from './page-commands.js';

const run = promisify(execFile);

test('every command and option of Temporal that is named is in its help', async () => {
  const temporal = await locateTemporal(process.env, () => undefined);
  const named = commandsOfProgram('temporal')
    .filter(({ words }) => words.length > 2)
    .map((each) => ({ ...each, command: leadingNames(each.words.slice(1)).join(' ') }));
  await expectInHelp(named, 'temporal', async (...args) => (await run(temporal, args)).stdout);
});

function leadingNames(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  return words.slice(0, end < 0 ? undefined : end);
}
