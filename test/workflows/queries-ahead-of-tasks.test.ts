import { coresdk } from '@temporalio/proto';
import { defaultPayloadConverter } from '@temporalio/workflow';
import { expect, test } from 'vitest';
import { askAgain, askedAtHeader } from '../../src/domain/ask-again.js';
import { QueriesAheadOfTasks } from '../../workflows/shared/queries-ahead-of-tasks.js';

type Job = coresdk.workflow_activation.IWorkflowActivationJob;

const taskAt = 1_700_000_000_000;
const timer: Job = { fireTimer: { seq: 1 } };

/** A query that a worker is given by itself. */
const query = (askedAt?: unknown): Job => ({
  queryWorkflow: {
    queryId: 'legacy_query',
    queryType: 'state',
    headers: askedAt === undefined ? {} : { [askedAtHeader]: defaultPayloadConverter.toPayload(askedAt) },
  },
});

/** A workflow as one worker has it in its cache. */
function cached() {
  const interceptor = new QueriesAheadOfTasks();
  return (startedAt: number, jobs: Job[], isReplaying = false): void => {
    const timestamp = { seconds: Math.floor(startedAt / 1_000), nanos: (startedAt % 1_000) * 1e6 };
    const activation = coresdk.workflow_activation.WorkflowActivation.fromObject({
      timestamp,
      jobs,
      isReplaying,
    });
    interceptor.activate({ activation, batchIndex: 0 }, () => undefined);
  };
}

test('new events at the time of the task before are refused', () => {
  const activate = cached();
  activate(taskAt, [timer]);
  expect(() => {
    activate(taskAt, [timer]);
  }).toThrow(askAgain);
});

test.each([
  ['before the task was started', taskAt - 1, askAgain],
  ['when the task was started', taskAt, undefined],
  ['after it', taskAt + 1, undefined],
  ['at an unknown time', undefined, undefined],
  ['at a time that is no number', 'yesterday', undefined],
])('a query that was asked %s', (_, askedAt, refusal) => {
  const activate = cached();
  activate(taskAt - 60_000, [timer], true);
  activate(taskAt, [timer]);
  const ask = () => {
    activate(taskAt, [query(askedAt)]);
  };
  if (refusal === undefined) expect(ask).not.toThrow();
  else expect(ask).toThrow(refusal);
});

test('a query that is older than the task that followed other workers’ tasks is refused', () => {
  const activate = cached();
  activate(taskAt - 60_000, [timer]);
  activate(taskAt - 30_000, [timer], true);
  activate(taskAt, [timer]);
  expect(() => {
    activate(taskAt, [query(taskAt - 1)]);
  }).toThrow(askAgain);
});

test('a query that a busy workflow’s next task overtakes on the same worker is answered', () => {
  const activate = cached();
  activate(taskAt - 60_000, [timer]);
  activate(taskAt, [timer]);
  expect(() => {
    activate(taskAt, [query(taskAt - 1)]);
  }).not.toThrow();
});

test('a query that is older than the tasks of a replay is answered', () => {
  const activate = cached();
  activate(taskAt, [timer], true);
  expect(() => {
    activate(taskAt, [query(taskAt - 60_000)]);
  }).not.toThrow();
});

test('a query that comes with a task is answered', () => {
  const activate = cached();
  activate(taskAt - 60_000, [timer], true);
  activate(taskAt, [timer]);
  const ofTask = query(taskAt - 1);
  if (ofTask.queryWorkflow != null) ofTask.queryWorkflow.queryId = '1';
  expect(() => {
    activate(taskAt, [ofTask]);
  }).not.toThrow();
});
