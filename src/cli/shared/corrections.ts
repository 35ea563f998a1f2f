import type { Command } from 'commander';
import { InvalidRequestError } from '../../client.js';
import { namedTwice } from '../../client/json-text.js';
import { payoutCorrections } from '../../contract/payout.js';
import type { PayoutCorrections } from '../../contract/payout.js';
import { fieldProblems } from '../../contract/problems.js';
import { UsageError } from './exit.js';

/** Adds `--set <field=value…>`: what a further attempt changes about the payee. */
export function withCorrections(command: Command): Command {
  return command.option(
    '--set <field=value...>',
    `correct the payee's data: ${Object.keys(payoutCorrections.shape).join(', ')}; never the value`,
  );
}

/** Reads `--set pix=… first_name=…`. @throws UsageError, InvalidRequestError */
export function correctionsIn(settings: readonly string[] | undefined): PayoutCorrections | undefined {
  if (settings === undefined) return undefined;
  const pairs = settings.map((setting) => {
    const at = setting.indexOf('=');
    if (at < 1) throw new UsageError('--set takes field=value. Nothing was sent.');
    return [setting.slice(0, at), setting.slice(at + 1)] as const;
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new InvalidRequestError([namedTwice([twice])]);
  const parsed = payoutCorrections.safeParse(Object.fromEntries(pairs));
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(fieldProblems(parsed.error));
}
