import { afterEach, expect, test } from 'vitest';
import { costOf, isQuiet, readsMade, type HistoryCost } from '../../scripts/bench/history-cost.mjs';
import allBudgets from '../../scripts/bench/budgets.json' with { type: 'json' };
import { startDeployment, type Deployment } from '../support/deployment.js';
import { cardOrder, freshCode, pixPayout, testCard } from '../support/requests.js';

// Calls linger, as in a deployed worker. docs/decisions/few-events.md says what each event is for. The figures are what
// they are now: a budget may be larger.
const { histories: budgets } = allBudgets;
type Budget = Readonly<Record<'events' | 'tasks' | 'actions' | 'reads' | 'bytes', number>>;
type Spent = HistoryCost & { /** Of the service, those of the creating call too. */ readonly reads: number };

let stack: Deployment;
afterEach(async () => {
  await stack.finish();
  await stack.close();
});

const lingering = (pollScale: number) =>
  startDeployment({ isWhole: true, lingers: true, gateway: { pollScale } });

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(stack.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Answer;
}

const handleOf = (workflowId: string) => stack.server.client.workflow.getHandle(workflowId);

async function eventsOf(workflowId: string) {
  const history = await handleOf(workflowId)
    .fetchHistory()
    .catch(() => ({ events: [] }));
  return history.events ?? [];
}

/** Waits until so many reads stand in the history, and a timer. Asks no query: one that meets a read may cost a task. */
async function hasRead(workflowId: string, reads: number): Promise<void> {
  const made = async () => readsMade(await eventsOf(workflowId));
  await expect.poll(made, { interval: 100 }).toBeGreaterThanOrEqual(reads);
}

/** What it has cost once a timer of a day or more is pending alone. */
async function cost(workflowId: string, status: string): Promise<Spent> {
  const aDay = 86_000;
  await expect.poll(async () => isQuiet(await eventsOf(workflowId), aDay), { interval: 500 }).toBe(true);
  const spent = await costOf(stack.server.client, workflowId);
  await expect.poll(() => handleOf(workflowId).query<object>('state')).toMatchObject({ status });
  const { 'GET /v1/order/{id}': ofOrders = 0, 'GET /v1/payout/{id}': ofPayouts = 0 } =
    stack.sandbox.ledger().calls;
  return { ...spent, reads: ofOrders + ofPayouts };
}

/** @param readsBetween reads that came between the postbacks: ten events, two actions and two tasks each */
function expectWithin(budget: Budget, spent: Spent, readsBetween = 0): void {
  expect(spent.events, spent.names.join('\n')).toBeLessThanOrEqual(budget.events + 10 * readsBetween);
  expect(spent.tasks).toBeLessThanOrEqual(budget.tasks + 2 * readsBetween);
  expect(spent.actions).toBeLessThanOrEqual(budget.actions + 2 * readsBetween);
  expect(spent.reads).toBeLessThanOrEqual(budget.reads + readsBetween);
  expect(spent.bytes).toBeLessThanOrEqual(budget.bytes + 2_500 * readsBetween);
}

/** On a slow machine a timer fires between the postbacks, and a read is made. */
const readsBetweenPostbacks = ({ timersFired }: HistoryCost) => timersFired;

test.for([
  ['is done within a moment', 'payout that is done at once', 1, 'done-at-once+postback-silent', []],
  ['is read as done five seconds later', 'payout without postbacks', 1, 'postback-silent', ['done']],
  // The first read comes after the postbacks, which bring it forward.
  ['two postbacks bring to done', 'payout with two postbacks', 1.8, '', ['processing', 'done']],
] as const)(
  'a payout that %s costs no more than its budget',
  async ([, budget, pollScale, tags, [first, ...later]]) => {
    stack = await lingering(pollScale);
    const code = freshCode();
    await post('/v1/payouts/pix', pixPayout(code, tags, { method: undefined }));
    await hasRead(`payout-${code}`, 0);
    if (first !== undefined) stack.sandbox.setPayoutStatus(code, first);
    for (const status of later) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      stack.sandbox.setPayoutStatus(code, status);
    }
    const spent = await cost(`payout-${code}`, 'done');
    expectWithin(budgets[budget], spent, later.length === 0 ? 0 : readsBetweenPostbacks(spent));
  },
);

async function startOrder(): Promise<string> {
  const code = freshCode();
  const card = await post<object>('/v1/cards', testCard);
  await post('/v1/orders/card', cardOrder(code, 'Two tickets', { card }));
  await hasRead(`order-${code}`, 0);
  return code;
}

test('a card order that two postbacks bring to settlement costs no more than its budget', async () => {
  stack = await lingering(1.8);
  const code = await startOrder();
  stack.sandbox.setOrderStatus(code, 'paid');
  await hasRead(`order-${code}`, 1);
  stack.sandbox.setOrderStatus(code, 'compensated');
  const spent = await cost(`order-${code}`, 'compensated');
  expectWithin(budgets['card order with two postbacks'], spent, readsBetweenPostbacks(spent));
});

test('a refund that a postback brings to its end costs no more than its budget', async () => {
  stack = await lingering(0.1);
  const code = await startOrder();
  stack.sandbox.setOrderStatus(code, 'compensated');
  const order = handleOf(`order-${code}`);
  await expect.poll(() => order.query<object>('state')).toMatchObject({ status: 'compensated' });
  const { workflow_id: refund } = await post<{ workflow_id: string }>(`/v1/orders/${code}/refund`, {});
  await hasRead(refund, 0);
  stack.sandbox.setOrderStatus(code, 'refunded');
  expect(await handleOf(refund).result()).toMatchObject({ status: 'refunded' });
  const spent = await costOf(stack.server.client, refund);
  // On a slow machine a timer fires before the service shows the refund.
  const readsBefore = readsMade(await eventsOf(refund)) - 1;
  expectWithin(budgets['refund with one postback'], { ...spent, reads: 1 + readsBefore }, readsBefore);
});
