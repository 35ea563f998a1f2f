import { coresdk } from '@temporalio/proto';
import { encode } from '@temporalio/common/lib/encoding.js';
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

const unreadable = query(taskAt - 1);
const header = unreadable.queryWorkflow?.headers?.[askedAtHeader];
if (header != null) header.data = encode('{');

const ofTask = query(taskAt - 1);
if (ofTask.queryWorkflow != null) ofTask.queryWorkflow.queryId = '1';

/** When each task of a workflow was started that one worker has had, in a replay or not. */
type Tasks = readonly (readonly [startedAt: number, isReplaying?: true])[];
const replayed: Tasks = [[taskAt - 60_000, true], [taskAt]];
const own: Tasks = [[taskAt - 60_000], [taskAt]];
const ofOthersBetween: Tasks = [[taskAt - 60_000], [taskAt - 30_000, true], [taskAt]];

test.for<[string, 'are refused' | 'is refused' | 'is answered', Tasks, Job]>([
  ['new events at the time of the task before', 'are refused', [[taskAt]], timer],
  ['a query that was asked before the task was started', 'is refused', replayed, query(taskAt - 1)],
  ['a query that was asked when the task was started', 'is answered', replayed, query(taskAt)],
  ['a query that was asked after it', 'is answered', replayed, query(taskAt + 1)],
  ['a query that was asked at an unknown time', 'is answered', replayed, query()],
  ['a query that was asked at a time that is no number', 'is answered', replayed, query('yesterday')],
  ['a query that was asked at a time that is not JSON', 'is answered', replayed, unreadable],
  ['a query that comes with a task', 'is answered', replayed, ofTask],
  ['a query older than the task after those of others', 'is refused', ofOthersBetween, query(taskAt - 1)],
  ['a query that the next task overtakes on the same worker', 'is answered', own, query(taskAt - 1)],
  ['a query that is older than a replay', 'is answered', [[taskAt, true]], query(taskAt - 60_000)],
])('%s %s', ([, outcome, tasks, last]) => {
  const interceptor = new QueriesAheadOfTasks();
  const activate = (startedAt: number, job: Job, isReplaying = false): void => {
    const timestamp = { seconds: Math.floor(startedAt / 1_000), nanos: (startedAt % 1_000) * 1e6 };
    const { WorkflowActivation } = coresdk.workflow_activation;
    const activation = WorkflowActivation.fromObject({ timestamp, jobs: [job], isReplaying });
    interceptor.activate({ activation, batchIndex: 0 }, () => undefined);
  };
  for (const [startedAt, isReplaying] of tasks) activate(startedAt, timer, isReplaying);
  const asked = () => {
    activate(taskAt, last);
  };
  if (outcome === 'is answered') expect(asked).not.toThrow();
  else expect(asked).toThrow(askAgain);
});
