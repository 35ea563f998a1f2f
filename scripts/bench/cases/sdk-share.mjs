import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import proto from '@temporalio/proto';
import { pixPayout } from '../../drills/requests.mjs';

const fileAt = (path) => fileURLToPath(new URL(path, import.meta.url));
const times = 400;

/** What is patched, by the names of `sdk/quicker.mjs`. */
const variants = { 'as it is': '', stacks: 'stacks', timeout: 'timeout', both: 'stacks,timeout' };

/** How long the thread of the workflows takes to repeat the history of a payout, and which part of it is the SDK's. */
export const sdkShare = {
  name: 'sdk-share',
  title: "the SDK's own share",
  isOnce: true,
  isOnDemand: true,
  longestMs: 1_800_000,
  run: async (bench, { rounds }) => {
    const code = bench.freshCode();
    await bench.http('quick', 'POST', '/v1/payouts/pix', pixPayout(code, { watch_days: 0 }));
    const workflowId = `payout-${code}`;
    await bench.ended(workflowId);
    const history = await bench.client.workflow.getHandle(workflowId).fetchHistory();
    const dir = await mkdtemp(join(tmpdir(), 'sdk-share-'));
    const file = join(dir, 'history.bin');
    await writeFile(file, proto.temporal.api.history.v1.History.encode(history).finish());
    const measured = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
    try {
      for (let round = 0; round < rounds; round += 1)
        for (const [name, patches] of Object.entries(variants))
          measured[name].push(await replayed(bench.processes.env, file, workflowId, patches));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
    return { sdkShare: measured };
  },
};

async function replayed(env, file, workflowId, patches) {
  const args = ['--import', fileAt('../sdk/quicker.mjs'), fileAt('../sdk/replay.mjs'), file, workflowId];
  // With TEMPORAL_DEBUG the SDK runs workflows in the thread of the process, which the profiler sees.
  const settings = { ...env, TEMPORAL_DEBUG: 'true', SDK_PATCHES: patches };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(times)], { env: settings });
  const { busyMs, contextMs, hookMs } = JSON.parse(stdout.trim().split('\n').at(-1));
  return { msOfOne: busyMs / times, hookShare: hookMs / busyMs, contextShare: contextMs / busyMs };
}
