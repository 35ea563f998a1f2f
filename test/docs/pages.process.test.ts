import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { longTests } from '../support/waiting.js';
import { z } from 'zod';
import { locateTemporal } from '../../src/dev/embedded-temporal/locate.js';
import { readEmbeddedState } from '../../src/dev/embedded-temporal/state-file.js';
import { createHome } from '../processes/support/started.js';
import type { Home } from '../processes/support/started.js';
import type { Program } from '../processes/support/program.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { codeBlocks, textOf } from './markdown.js';
import { blocks, notRun, notRunIn, type PageBlock } from './page-commands.js';
import { pageStates } from './page-states.js';
import type { PageStack } from './page-states.js';
import { asShown, bash, expectShown, ourPrograms, runSteps, stackBeside, stepsIn } from './transcript.js';

vi.setConfig(longTests);

/** The names that the pages give to payments and the like; each block has its own. */
const names = [
  ...['rent-2026-05', 'rent-2026-06', 'order-1042', 'order-1043', 'invoice-4711', '1795280456750'],
  ...['outage-of-may', 'rents-of-september', 'rents-of-october', 'findings'],
];

/** What a block reaches beyond its own payments: nothing, all that have failed, or those soon after it as well. */
const reach = ({ commands }: PageBlock) => {
  const code = commands.join('\n');
  if (code.includes('workflow signal')) return 'later';
  return /--all(?! --dry-run)|"bulk_retry_id"/.test(code) ? 'all' : 'own';
};
const reaching = (wanted: ReturnType<typeof reach>) => blocks.filter((block) => reach(block) === wanted);

let dir: string;
let home: Home;
let program: Program;
let stack: PageStack;
let temporalAddress: string;
let path: string;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;

const dataDir = () => home.env.DATA_DIR ?? '';
const gateway = () => `127.0.0.1:${home.env.GATEWAY_PORT ?? ''}`;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'durable-payments-pages-'));
  receiver = await startWebhookReceiver();
  home = await createHome({
    pollScale: 0.005,
    more: { NOTIFY_TARGETS: `shop=${receiver.url}`, NOTIFY_SECRETS: `shop=${receiver.secret}` },
  });
  await symlink(dataDir(), join(dir, '.data'));
  program = await home.start();
});

afterAll(async () => {
  await program.end('SIGKILL');
  await home.remove();
  await receiver.close();
  await rm(dir, { recursive: true, force: true });
});

describe('the tutorial', () => {
  const document = 'docs/tutorial.md';
  /** What stands before the first `npm start`, and after each. */
  const [, first = '', second = ''] = textOf(document).split('```sh\nnpm start\n```');

  test('prints by each command what is shown, and after a restart everything is still there', async () => {
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
    expectShown(steps, await runSteps(steps, dir));
  }
});

describe('the other pages', () => {
  beforeAll(async () => {
    temporalAddress = `127.0.0.1:${String((await readEmbeddedState(dataDir()))?.port)}`;
    path = await programs();
    await writeFile(join(dir, 'rents.csv'), codeBlocks('docs/http-api.md', 'csv')[0]?.code ?? '');
    stack = {
      ...stackBeside(dataDir(), `http://${gateway()}`, await home.sandboxUrl()),
      shell,
      serviceId: async (partnerCode) => {
        const ledger = await home.sandbox('GET', '/sandbox/ledger');
        const records = z.array(z.object({ partner_code: z.string(), id: z.string() }));
        const { orders, payouts } = z.object({ orders: records, payouts: records }).parse(ledger);
        return [...orders, ...payouts].find(({ partner_code: code }) => code === partnerCode)?.id ?? '';
      },
    };
  });

  test('without the codec an Update is executed, though `temporal` can not show its answer', async () => {
    await pageStates.chargeback?.['order-1042']?.(stack, 'without-codec', '');
    const update =
      'temporal workflow update execute --workflow-id order-without-codec --name acknowledgeAttention';
    const input = `--input '{ "attention": "chargeback", "reason": "disputed", "by": "ana" }'`;
    await expect(shell(`export TEMPORAL_CODEC_ENDPOINT=\n${update} ${input}`)).rejects.toThrow(
      'payload encoding is not supported',
    );
    expect(await stack.oms.state('/v1/orders/without-codec')).toMatchObject({ attention: null });
  });

  describe('commands about single payments', () => {
    test.concurrent.each(reaching('own'))('$at: $section', runBlock);
  });

  describe('commands about all that have failed', () => {
    test.each([...reaching('all'), ...reaching('later')])('$at: $section', runBlock);
  });
});

/** Runs a block's commands, one after the other, each on the payments that its section speaks of. */
async function runBlock(block: PageBlock): Promise<void> {
  if (block.section in notRunIn) return;
  const commands = block.commands.filter(
    (code) => !Object.keys(notRun).some((start) => code.startsWith(start)),
  );
  const settings: string[] = [];
  for (const [index, each] of commands.entries()) {
    const code = await ownCommand(block, each, index);
    // Of two over the same payouts the later one is refused.
    if (code.includes('payout retry --all') && !code.includes('--dry-run')) await stopBulkRetries();
    if (code.startsWith('export ')) settings.push(code);
    else await shell([...settings, code].join('\n'));
    // Temporal runs one batch at a time.
    if (code.includes('workflow signal'))
      await shell(`timeout 120 bash -c 'while temporal batch list | grep -q Running; do sleep 0.2; done'`);
  }
}

/** Those that earlier commands have started. */
async function stopBulkRetries(): Promise<void> {
  const listed: unknown = JSON.parse(await shell('npx durable-payments bulk-retry list --json'));
  for (const { bulk_retry_id: id } of z.array(z.object({ bulk_retry_id: z.string() })).parse(listed))
    // One may end meanwhile: then it is refused.
    await shell(`npx durable-payments bulk-retry stop ${id} --reason 'the next command' || test $? = 3`);
}

/**
 * A command about payments of its own. Those whose state its section tells are made for it alone, since a block may offer
 * a choice of commands; others are shared by the commands of the block.
 */
async function ownCommand({ at, section }: PageBlock, code: string, index: number): Promise<string> {
  let own = here(code);
  for (const name of names.filter((each) => code.includes(each))) {
    const state = pageStates[section]?.[name];
    const ownName = `${name}-${at.replace(/.*:/, '')}${state === undefined ? '' : `n${String(index)}`}x`;
    const others = (await state?.(stack, ownName, code)) ?? {};
    for (const [word, inItsPlace] of Object.entries({ [name]: ownName, ...others }))
      own = own.replaceAll(word, inItsPlace);
  }
  return own;
}

/** With the processes where this test has them. */
function here(code: string): string {
  return code.replaceAll('127.0.0.1:8080', gateway()).replaceAll('127.0.0.1:7233', temporalAddress);
}

/**
 * Runs a command in a shell of its own, beside `.data`; answers what it has printed. Questions are answered by yes. An
 * Update that was lost with its task is sent again, as the page says.
 */
async function shell(code: string, tries = 3): Promise<string> {
  return bash(`{\n${code}\n} <<<y`, dir, { PATH: path, HOME: dir }).catch((error: unknown) => {
    if (tries > 1 && String(error).includes('unexpected workflow task failure'))
      return shell(code, tries - 1);
    throw error;
  });
}

/** The programs of the pages: `temporal` finds the server that was started, `curl` fails when it is answered with an error. */
async function programs(): Promise<string> {
  const bin = await ourPrograms(dir);
  const usual = process.env.PATH ?? '';
  const temporal = await locateTemporal(process.env, () => undefined);
  const codec = await readFile(join(dataDir(), 'codec-endpoint'), 'utf8');
  const scripts = {
    temporal: `TEMPORAL_ADDRESS=${temporalAddress} TEMPORAL_CODEC_ENDPOINT="\${TEMPORAL_CODEC_ENDPOINT-${codec}}" exec '${temporal}' "$@"`,
    curl: `PATH='${usual}' exec curl --silent --show-error --fail-with-body "$@"`,
  };
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${bin}:${usual}`;
}
