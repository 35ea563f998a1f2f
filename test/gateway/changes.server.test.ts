import { describe, expect, test as base, vi } from 'vitest';
import { resetToFirstTask } from '../support/resets.js';
import { waiting } from '../support/waiting.js';
import { pixPayout } from './requests.js';
import { otherOmsKey, type Body } from './call.js';
import { gatewayForAllTests } from './test-gateway.js';

type Seen = Body['payments'];

const gateway = await gatewayForAllTests();

// eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
const test = base.extend('payout', async ({}) => {
  const since = new Date().toISOString();
  const body = { ...pixPayout(), value: 73.03 };
  expect((await gateway.call('POST', '/v1/payouts/pix', { body })).status).toBe(202);
  const isIt = (each: Seen[number]) => each.partner_code === body.partner_code;
  /** What an OMS reads of it: its part of the one page that holds all changes. */
  const changes = async (from = since, key?: string): Promise<Seen | undefined> => {
    const path = `/v1/changes?since=${encodeURIComponent(from)}`;
    const answer = await gateway.call('GET', path, key === undefined ? {} : { key });
    return answer.body.complete ? answer.body.payments.filter(isIt) : undefined;
  };
  return {
    ...{ since, isIt, changes },
    handle: gateway.server.client.workflow.getHandle(`payout-${body.partner_code}`),
    /** Temporal's search shows a change a moment later. */
    untilShown: (from = since, isShown: (seen: Seen[number]) => boolean = () => true) =>
      vi.waitUntil(async () => {
        const seen = await changes(from);
        return seen?.some(isShown) && seen;
      }, waiting),
  };
});

describe('the changes since a moment', () => {
  test('hold a payment that its caller has started, and again when it has changed', async ({ payout }) => {
    await payout.untilShown();
    expect(await payout.changes(payout.since, otherOmsKey)).toEqual([]);
    const later = new Date().toISOString();
    expect(await payout.changes(later)).toEqual([]);
    await gateway.change(payout.handle.workflowId, { status: 'done' });
    expect(await payout.untilShown(later)).toMatchObject([{ status: 'done', closed: false }]);
  });

  test('show a payment once, also when it went on in a new run or was reset', async ({ payout }) => {
    const { handle } = payout;
    await gateway.change(handle.workflowId, { status: 'error', continue: true });
    await payout.untilShown();
    await vi.waitUntil(async () => {
      const { events } = await handle.fetchHistory();
      return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId !== '';
    }, waiting);
    const { client } = gateway.server;
    await resetToFirstTask(client, handle.workflowId);
    const runs = `WorkflowId = '${handle.workflowId}' AND ExecutionStatus`;
    const found = async (status: string) => (await client.workflow.count(`${runs} = '${status}'`)).count;
    await vi.waitUntil(
      async () => (await found('Terminated')) === 1 && (await found('Running')) === 1,
      waiting,
    );
    expect(await payout.changes()).toMatchObject([{ closed: false }]);
    const { body } = await gateway.call('GET', '/v1/payouts?value_from=73.03&value_to=73.03');
    expect(body.payments.filter(payout.isIt)).toHaveLength(1);
  });

  test('hold a payment whose workflow was terminated: nobody follows its money', async ({ payout }) => {
    await payout.untilShown();
    const later = new Date().toISOString();
    await payout.handle.terminate();
    const shown = await payout.untilShown(later, ({ closed_as: closedAs }) => closedAs === 'terminated');
    expect(shown).toHaveLength(1);
  });
});
