import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { changesPage } from '../../src/contract/http/changes.js';
import { operatorKey } from '../gateway/call.js';
import { ownGateway } from '../support/gateway-without-temporal.js';

/** A gateway before payouts that were started at these moments: what Temporal's search shows of them. */
async function gatewayBefore(shown: readonly number[]) {
  const found = ({ query }: { query: string }) => {
    const [, from = '', until = ''] = /StartTime >= '([^']+)' AND StartTime < '([^']+)'/.exec(query) ?? [];
    return shown.filter((at) => at >= Date.parse(from) && at < Date.parse(until));
  };
  const running = { type: { name: 'payout' }, status: 1 };
  const { call } = await ownGateway(
    {},
    {
      pollActivityTaskQueue: () => new Promise(() => undefined),
      describeTaskQueue: () => Promise.resolve({ pollers: [{ lastAccessTime: msToTs(Date.now()) }] }),
      countWorkflowExecutions: (request: { query: string }) =>
        Promise.resolve({ count: { toNumber: () => found(request).length }, groups: [] }),
      listWorkflowExecutions: (request: { query: string }) =>
        Promise.resolve({
          executions: found(request).map((at) => ({
            ...{ ...running, execution: { workflowId: `payout-${String(at)}`, runId: 'run' } },
            startTime: msToTs(at),
          })),
          nextPageToken: new Uint8Array(),
        }),
    },
  );
  return async (since: string) => {
    const path = `/v1/changes?since=${encodeURIComponent(since)}`;
    const { next_since: next, ...page } = changesPage.parse(
      (await call('GET', path, { key: operatorKey })).body,
    );
    return { next, ...page, starts: page.payments.map(({ started_at: at }) => Date.parse(at)) };
  };
}

test('changes by the thousand are read page after page, each once, and one that search shows late is not missed', async () => {
  const begunAt = Date.now() - 3_600_000;
  const shown = Array.from({ length: 1_300 }, (_, second) => begunAt + second * 1_000);
  const changesSince = await gatewayBefore(shown);
  const seen: number[] = [];
  let page = await changesSince(new Date(begunAt).toISOString());
  for (; !page.complete; page = await changesSince(page.next)) {
    expect(page.starts.length).toBeLessThanOrEqual(500);
    seen.push(...page.starts);
  }
  expect([...seen, ...page.starts]).toEqual(shown);

  const late = Date.now() - 20_000;
  shown.push(late);
  expect((await changesSince(page.next)).starts).toEqual([late]);
});
