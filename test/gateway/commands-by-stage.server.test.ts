import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { describe, expect, vi } from 'vitest';
import { commandNames, commandsOf, type CommandName } from '../../src/domain/stage-table.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { run } from '../cli/support/command-line.js';
import { cardsOf } from '../support/lifecycles/card-orders.js';
import { payoutsOn } from '../support/lifecycles/payouts.js';
import { everyStage, findingOf, type Shown } from '../support/lifecycles/stages.js';
import { neverOverloaded } from '../support/never-overloaded.js';
import { attentionIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';
import { testDataConverter, testPayloadKeys } from '../support/temporal-data-converter.js';
import type { TestStack } from '../support/test-stack.js';
import { waiting } from '../support/waiting.js';

const apiKey = 'by-stage-key-0123456789abcd';
const reason = 'tried';

/** A command in both of these ways: the path and body over HTTP, and the words of the CLI; `%` is the partner_code. */
type Ways = {
  readonly path: string;
  readonly body?: object;
  readonly words?: readonly string[];
};
type Kind = 'order' | 'payout' | 'refund';

const acknowledged = {
  body: { attention: 'overdue' },
  words: ['acknowledge', '--attention', 'overdue'],
};
const resolved = { body: { nothing_happened: true }, words: ['resolve', '--nothing-happened'] };
/** @param card that the card store no longer has, so that nothing is sent */
const waysOf = (card: object): Record<Kind, Partial<Record<CommandName, Ways>>> => ({
  payout: {
    retryPayout: { path: 'payouts/%/retry', words: ['retry'] },
    abandonPayout: { path: 'payouts/%/abandon', words: ['abandon'] },
    resolveSubmission: { path: 'payouts/%/resolve', ...resolved },
    acknowledgeAttention: { path: 'payouts/%/acknowledge', ...acknowledged },
  },
  order: {
    resolveSubmission: { path: 'orders/%/resolve', ...resolved },
    provideCard: { path: 'orders/%/card', body: { card } },
    completeThreeDSecure: {
      path: 'orders/%/3ds-completion',
      body: { callback: 'pares=abc', eci: '05', card },
    },
    acknowledgeAttention: { path: 'orders/%/acknowledge', ...acknowledged },
  },
  refund: {
    retryRefund: {
      path: 'orders/%/refund/retry',
      body: { nothing_queued: true },
      words: ['retry', '--nothing-queued'],
    },
    resolveRefund: {
      path: 'orders/%/refund/resolve',
      body: { outcome: 'refunded' },
      words: ['resolve', '--outcome', 'refunded'],
    },
    acknowledgeAttention: { path: 'orders/%/refund/acknowledge', ...acknowledged },
  },
});
const kindOf = (lifecycle: string): Kind =>
  lifecycle === 'payout' || lifecycle === 'refund' ? lifecycle : 'order';

const test = payments.extend('sent', { scope: 'file' }, async ({ server }, { onCleanup }) => {
  const app = createGateway({
    client: new Client({ connection: server.env.connection, dataConverter: testDataConverter }),
    cardStore: server.cardStore,
    apiKeys: [{ name: 'ana', key: apiKey, scopes: ['oms', 'operator'] }],
    postbackKeys: [randomBytes(32)],
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: server.taskQueue,
    limits: neverOverloaded,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onCleanup(() => app.close());
  return (path: string, body: object = {}) =>
    fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, reason }),
    });
});

const cli = ({ env, taskQueue }: TestStack, words: readonly string[]) =>
  run(words, {
    TEMPORAL_ADDRESS: env.address,
    PAYMENTS_TASK_QUEUE: taskQueue,
    PAYLOAD_KEYS: testPayloadKeys,
  });

/**
 * Which stage takes what is proven by `test/workflows/commands-by-stage.test.ts`, what a refused Update becomes by
 * `test/client/failed-updates.test.ts`; here is shown that each way in asks it.
 */
const stages = everyStage.filter(
  ({ kind, stage }) => stage === (kind === 'card_order' ? 'await_card' : 'decide'),
);

describe.for(stages)('$lifecycle in $stage', ({ bring, lifecycle, takes }) => {
  const kind = kindOf(lifecycle);

  test('refuses what it does not take in the same words by HTTP and CLI', async ({ sent, stack }) => {
    const payment = await bring(stack);
    const ways = waysOf(cardsOf(stack).lost());
    const { commands, partner_code: code } = await payment.state();
    for (const name of commandNames.filter((each) => !commands.includes(each))) {
      const way = ways[kind][name];
      if (way === undefined) continue;
      const answer = await sent(way.path.replace('%', code), way.body);
      const { detail } = (await answer.json()) as { detail: string };
      expect(answer.status, detail).toBe(409);
      if (way.words === undefined) continue;
      const [verb = '', ...options] = way.words;
      const ran = await cli(stack, [kind, verb, code, ...options, '--reason', reason]);
      expect(ran).toMatchObject({ code: 3 });
      expect(ran.output.replaceAll(/\s+/g, ' ')).toContain(detail);
    }
  });

  const taken = commandsOf(takes).filter((name) => waysOf({})[kind][name] !== undefined);
  test.for(taken)('executes %s over HTTP, and alike by the CLI', async (name, { sandbox, sent, stack }) => {
    const way = waysOf(cardsOf(stack).lost())[kind][name];
    const bringNext = async () => {
      const payment = await bring(stack);
      // What was found is read; what is decided before it is sent must not be sent meanwhile.
      if (name === 'resolveSubmission') sandbox.clearFaults();
      return { payment, state: await payment.state() };
    };
    const { payment, state } = await bringNext();
    const body = name === 'resolveSubmission' ? findingOf(state) : way?.body;
    const answer = await sent(way?.path.replace('%', state.partner_code) ?? '', body);
    expect(answer.status).toBeLessThan(300);
    const byHttp = await payment.state();
    expect(byHttp.timeline).toContainEqual(expect.objectContaining({ by: 'ana', reason }));
    if (way?.words === undefined) return;

    const next = await bringNext();
    const [verb = '', ...options] = name === 'resolveSubmission' ? findingWords(next.state) : way.words;
    const ran = await cli(stack, [kind, verb, next.state.partner_code, ...options, '--reason', reason]);
    expect(ran, ran.output).toMatchObject({ code: 0 });
    // What was decided goes on by itself, and comes to the same.
    await vi.waitFor(async () => {
      expect(decided(await next.payment.state())).toEqual(decided(await payment.state()));
    }, waiting);
  });
});

test.for(['HTTP', 'the CLI'])('an acknowledgement is taken by %s', async (way, { sent, stack }) => {
  const attention = 'payout_returned';
  const code = freshCode();
  const payout = await payoutsOn(stack).shownAs(code, 'done', 'error');
  await payout.until(attentionIs(attention));
  const words = ['payout', 'acknowledge', code, '--attention', attention, '--reason', reason];
  await (way === 'HTTP' ? sent(`payouts/${code}/acknowledge`, { attention }) : cli(stack, words));
  const state = decided(await payout.state());
  expect(state).toMatchObject({ attention: 'payout_failed', decisions: [{ reason }] });
});

/** What a command has come to, whoever gave it and whichever payment took it. */
function decided({ attention, commands, status, timeline }: Shown) {
  const decisions = timeline.flatMap(({ by, reason: why, what }) =>
    by === undefined ? [] : [{ what: what.replaceAll(/\d{4,}/g, '…'), reason: why }],
  );
  return { attention, commands, status, decisions };
}

function findingWords({ service_id: serviceId }: Shown): readonly string[] {
  return serviceId === null ? ['resolve', '--nothing-happened'] : ['resolve', '--service-id', serviceId];
}
