import { fileURLToPath } from 'node:url';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';

const workflowBundle = { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) };
const { EventType, PendingActivityState } = proto.temporal.api.enums.v1;
const millis = (time) => new Date(Number(time?.seconds) * 1_000 + Number(time?.nanos) / 1e6).toISOString();

/** The workflows of which a run does not replay on the build that is there, and why, in words. */
export async function unreplayable({ client, replaying }) {
  const found = [];
  const options = { ...replaying, workflowBundle, replayName: 'drill' };
  for await (const { error, workflowId } of Worker.runReplayHistories(options, histories(client))) {
    if (error !== undefined) found.push(`${workflowId} does not replay: ${error.message}`);
  }
  return found;
}

async function* histories(client) {
  // The records of workflows whose tasks fail have no code: no worker takes them.
  for await (const { runId, workflowId } of client.workflow.list({
    query: "WorkflowType != 'failingTasks'",
  })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { workflowId, history };
  }
}

/** What a workflow has come to by Temporal: its last events, and what is pending. */
export async function standOf({ client }, workflowId) {
  const handle = client.workflow.getHandle(workflowId);
  const [{ raw, status }, { events }] = [await handle.describe(), await handle.fetchHistory()];
  const { pendingActivities, pendingWorkflowTask: task } = raw;
  return [
    `  ${status.name}, ${String(events.length)} events, now ${new Date().toISOString()}`,
    ...events.slice(-12).map(({ eventTime, eventType }) => `  ${millis(eventTime)} ${EventType[eventType]}`),
    ...(task == null ? [] : [`  its workflow task: ${JSON.stringify(task)}`]),
    ...pendingActivities.map(
      ({ activityType, state, ...rest }) =>
        `  ${String(activityType?.name)}: ${PendingActivityState[state]} ${JSON.stringify(rest)}`,
    ),
  ].join('\n');
}
