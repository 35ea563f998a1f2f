import { pixPayout } from '../../drills/requests.mjs';
import { quickScale } from '../processes.mjs';
import { closing, firstReadMs, silent, throughput } from './throughput.mjs';

const bareOf = (type, waitMs) => async (bench) => {
  const handle = await bench.bareWorkflow(type, [
    pixPayout(bench.freshCode(), { tags: silent }),
    ...(waitMs === undefined ? [] : [waitMs]),
  ]);
  // The first read may come a moment before it is done: whoever reads once ends then, too.
  await handle.result();
  return handle.workflowId;
};

async function byClient(bench, client, tags) {
  const code = bench.freshCode();
  await client.startPayout({ method: 'pix', ...pixPayout(code, { tags, ...closing }) });
  await bench.ended(`payout-${code}`);
  return `payout-${code}`;
}

async function byGateway(bench, gateway, tags) {
  const code = bench.freshCode();
  await bench.http(gateway, 'POST', '/v1/payouts/pix', pixPayout(code, { tags, ...closing }));
  await bench.ended(`payout-${code}`);
  return `payout-${code}`;
}

export const empty = throughput('empty', 'empty workflow', bareOf('empty'));
export const bare = throughput('bare', 'bare', bareOf('bareLifecycle', firstReadMs));
export const bareUpserts = throughput(
  'bare-upserts',
  'bare, two upserts',
  bareOf('bareUpserts', firstReadMs),
);
export const naive = throughput(
  'naive',
  'bare, read each second',
  bareOf('naivePolling', 1_000 * quickScale),
);
export const payout = throughput('payout', 'payout by client, no postback', (bench) =>
  byClient(bench, bench.quick, silent),
);
export const payoutDirect = throughput('payout-direct', 'payout by client, two postbacks', (bench) =>
  byClient(bench, bench.direct, []),
);
export const gateway0 = throughput('gateway-0', 'payout by gateway, no postback', (bench) =>
  byGateway(bench, 'quick', silent),
);
export const gateway1 = throughput('gateway-1', 'payout by gateway, one postback', (bench) =>
  byGateway(bench, 'usual', ['done-directly']),
);
export const gateway2 = throughput('gateway-2', 'payout by gateway, two postbacks', (bench) =>
  byGateway(bench, 'usual', []),
);
