import { expect, onTestFinished, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { exitCodeOf } from '../../src/cli/command-line.js';
import { CommandPendingError, InvalidRequestError } from '../../src/client/errors.js';
import { command, fileOf } from '../client/support/batch-requests.js';
import { cardOrder, pixPayout, secrets } from '../processes/support/oms.js';

test('help lists the exit codes, and the version is that of the package', async () => {
  const help = await command('--help');
  expect(help.code).toBe(0);
  expect(help.output).toMatch(/Exit codes:\n {2}0 {2}done/);
  const { version } = packageJson;
  expect(await command('--version')).toMatchObject({ code: 0, output: `${version}\n` });
});

test.each(['bash', 'zsh', 'fish'])('a completion for %s names every command', async (shell) => {
  const { code, output } = await command('completion', shell);
  expect(code).toBe(0);
  for (const word of ['doctor', 'acknowledge', 'reason']) expect(output).toContain(word);
});

const period = 'payout export --from';
const resend = 'webhook resend';

/** What is wrong, the command, and what it is refused by. */
test.for<[string, string, ...string[]]>([
  ['an unknown command', 'payouts'],
  ['neither a code nor --all', 'payout retry'],
  ['both a code and --all', 'payout retry one --all'],
  ['no reason for a retry', 'payout retry one', '--reason'],
  ['no reason for retries by the thousand', 'payout retry --all', '--reason'],
  [
    'filters of a bulk retry that can not be used',
    'payout retry --all --reason x --value-from much --cause weather --canary -1',
    ...['--value-from', '--cause', '--canary'],
  ],
  ['an age without its unit', 'attention --older-than 3'],
  ['no file', 'payout start'],
  ['a file that is not there', 'payout start /nowhere/payout.json'],
  ['an unknown attention', 'payout list --attention bored'],
  ['a misspelt status', 'payout list --status erro'],
  ['a value of less than a centavo', 'payout list --value-from 1.005', '--value-from'],
  ['a moment in words', 'payout list --started-after yesterday', '--started-after'],
  ['a moment without its day', 'order list --started-before 2031', '--started-before'],
  ['a batch with a card number for an id', `payout list --batch-id ${secrets.number}`, '--batch-id'],
  ['no word on what happened', 'payout resolve one --reason because'],
  ['a file of findings and a code', 'payout resolve one --file x.csv --reason because'],
  ['neither a payment nor a moment', resend],
  ['a sequence that is no number', `${resend} payout-one --sequence last`, '--sequence'],
  ['a range of all payments', `${resend} --seen-after 2026-05-01T00:00:00Z --sequence 2`],
  ['a moment of resends in words', `${resend} --seen-after yesterday`, '--seen-after'],
  ['no period', 'payout export', '--from <date>'],
  ['a period in words', `${period} yesterday`, '--from <date>'],
  ['a day that there is not', `${period} 2026-02-30`, '--from <date>'],
  ['a month that there is not', `${period} 2020-01-01 --to 2020-13-01`, '--to <date>'],
  [
    'a period that ends before it begins',
    `${period} 2020-01-02 --to 2020-01-01`,
    '--from must be before --to',
  ],
  ['a time without its offset', `${period} 2020-01-02T10:00:00`, '--from <date>'],
])('%s is wrong usage: 2', async ([, words, ...named]) => {
  const { code, output } = await command(...words.split(' '));
  expect(code, output).toBe(2);
  for (const each of named) expect(output).toContain(each);
});

const account = {
  partner_code: 'a',
  bank_code: '341',
  account: '12345-6',
  first_name: 'Ana',
  last_name: 'Lima',
};
const findings = 'partner_code,service_id,nothing_happened\na,12,yes\nb,,perhaps\nc,,yes\nc,,yes\n,3,';

test.for<[string, string, object | string, RegExp[]]>([
  ['a payout', 'payout start', pixPayout('wrong', { value: 1.005 }), [/^value: /m]],
  ['an order with its card', 'order start --way card', cardOrder('leaky'), [/^credit_card: /m]],
  ['an account', 'account-validation start', { ...account, document: '123' }, [/^document: /m]],
  [
    'findings',
    'payout resolve --reason x --file',
    findings,
    [/line 2, service_id/, /line 3, nothing_happened/, /line 5, partner_code/, /line 6, partner_code/],
  ],
])(
  'a file of %s with faults is refused by each of them, and no card is repeated: 2',
  async ([, words, content, faults]) => {
    const file = await fileOf('faulty', typeof content === 'string' ? content : JSON.stringify(content));
    const { code, output } = await command(...words.split(' '), file);
    expect(code, output).toBe(2);
    for (const fault of faults) expect(output).toMatch(fault);
    expect(output).not.toContain(secrets.number);
  },
);

test('without anything running a command prints how to start it, and ends with 4', async () => {
  const { code, output } = await command('payout', 'list');
  expect(code).toBe(4);
  expect(output).toContain('npm start');
});

const faults = [2, 3].map((line) => ({ row: line - 1, line, field: 'pix', message: 'must be a key' }));

test.for<[string, Error, number, RegExp]>([
  [
    'that was taken and still waits ends with 5, and with where its outcome is read',
    new CommandPendingError('payout-P-1', 'retryPayout', 'id'),
    ...([5, /^The payment has taken retryPayout and has not executed it yet: .* deadline/] as const),
  ],
  [
    'that starts a batch with faults ends with 2, and with each by its line and column',
    new InvalidRequestError(faults),
    ...([2, /^line 2, pix: must be a key\nline 3, pix: must be a key$/] as const),
  ],
])('a command %s', async ([, error, code, words]) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => {
    printed.mockRestore();
  });
  expect(await exitCodeOf(error)).toBe(code);
  expect(printed.mock.calls[0]).toEqual([expect.stringMatching(words)]);
});
