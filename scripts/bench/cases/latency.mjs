import { inFlight } from '../../in-flight.mjs';
import { quickScale } from '../processes.mjs';
import { pixPayout } from '../../drills/requests.mjs';
import proto from '@temporalio/proto';

/** Few at once: what one payment takes, not how long it queues. */
const atOnce = 2;
const taskCompleted = proto.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
const stuck = ['stuck', 'postback-silent'];

/** Waits until a workflow has completed its second task: the first one submits, the second one knows the answer. */
async function untilSubmitted({ client, processes }, workflowId) {
  let tasks = 0;
  let nextPageToken;
  while (tasks < 2) {
    const answer = await client.workflowService.getWorkflowExecutionHistory({
      namespace: processes.temporal.namespace,
      execution: { workflowId },
      waitNewEvent: true,
      nextPageToken,
    });
    tasks += answer.history.events.filter(({ eventType }) => eventType === taskCompleted).length;
    nextPageToken = answer.nextPageToken;
  }
}

const measured = (name, title, once, prepare) => ({
  name,
  title,
  prepare,
  run: async (bench, { payments }, prepared) => {
    const { latenciesMs } = await inFlight(payments, atOnce, () => once(bench, prepared));
    return { count: payments, latenciesMs };
  },
});

export const startToId = measured('start', 'start to service id', async (bench) => {
  const code = bench.freshCode();
  await bench.quick.startPayout({
    method: 'pix',
    ...pixPayout(code, { tags: ['postback-silent'], watch_days: 0 }),
  });
  await untilSubmitted(bench, `payout-${code}`);
});

export const bareStartToId = measured('start-bare', 'start to service id, bare', async (bench) => {
  const payout = pixPayout(bench.freshCode(), { tags: ['postback-silent'] });
  const { workflowId } = await bench.bareWorkflow('bareLifecycle', [payout, 5_000 * quickScale]);
  await untilSubmitted(bench, workflowId);
});

/** Time from the change at the service until its end is known, for a workflow that ends with that status. */
export const postbackToStatus = measured(
  'postback',
  'postback to status',
  async (bench, codes) => {
    const code = codes.pop();
    const ended = bench.ended(`payout-${code}`);
    await bench.setStatus('payouts', code, 'done');
    await ended;
  },
  async (bench, { payments }) => {
    const { answers } = await inFlight(payments, atOnce, async () => {
      const code = bench.freshCode();
      const request = pixPayout(code, { tags: ['stuck'], watch_days: 0 });
      await bench.usual.startPayout({ method: 'pix', ...request });
      await untilSubmitted(bench, `payout-${code}`);
      return code;
    });
    return answers;
  },
);

export const barePostbackToStatus = measured(
  'postback-bare',
  'signal to status, bare',
  async (bench, prepared) => {
    const { code, handle } = prepared.pop();
    const ended = bench.ended(handle.workflowId);
    await bench.setStatus('payouts', code, 'done');
    await handle.signal('postbackReceived');
    await ended;
  },
  async (bench, { payments }) => {
    const { answers } = await inFlight(payments, atOnce, async () => {
      const code = bench.freshCode();
      const { id } = await bench.bare.createBarePayout(pixPayout(code, { tags: stuck }));
      return { code, handle: await bench.bareWorkflow('bareSignal', [id]) };
    });
    return answers;
  },
);
