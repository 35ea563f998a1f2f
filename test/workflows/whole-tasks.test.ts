import { coresdk } from '@temporalio/proto';
import { expect, test } from 'vitest';
import { WholeTasks } from '../../workflows/shared/task-order.js';

type Job = coresdk.workflow_activation.IWorkflowActivationJob;

const timer: Job = { fireTimer: { seq: 2 } };
const signal: Job = { signalWorkflow: { signalName: 'statusHint' } };
const update: Job = { doUpdate: { name: 'awaitStatus' } };
const localActivity: Job = { resolveActivity: { seq: 2, isLocal: true, result: { completed: {} } } };
const query = (queryId: string): Job => ({ queryWorkflow: { queryId, queryType: 'state' } });
const activity: Job = { resolveActivity: { seq: 3, result: { completed: {} } } };

type Commands = Parameters<WholeTasks['concludeActivation']>[0]['commands'];

function guarded() {
  const guard = new WholeTasks();
  return {
    activate: (historyLength: number, jobs: Job[], isReplaying = false) => {
      const raw = { historyLength, jobs, isReplaying };
      const activation = coresdk.workflow_activation.WorkflowActivation.fromObject(raw);
      guard.activate({ activation, batchIndex: 0 }, () => undefined);
    },
    conclude: (...commands: Commands) => guard.concludeActivation({ commands }, (output) => output),
  };
}

/** A run whose last task, started by the event 19, read by a local activity that has ended. */
function afterRead() {
  const { activate, conclude } = guarded();
  activate(19, [timer]);
  conclude({ scheduleLocalActivity: { seq: 2 } });
  activate(19, [localActivity]);
  return activate;
}

// Event 20 says that the task is completed or has timed out; 21 is the marker when it is completed.
test.for([
  ['a signal', [signal], 23],
  ['an Update', [update], 22],
  ['a signal and an Update', [signal, update], 23],
  ['an activity that has ended', [activity], 24],
  ['a timer', [timer], 23],
] as const)('a task that brings %s is refused when the one before was lost', ([, jobs, startedId]) => {
  expect(() => {
    afterRead()(startedId, [...jobs]);
  }).toThrow('lost');
  afterRead()(startedId + 1, [...jobs]);
});

test('a query of its own is refused while a local activity runs, one that its task brings is not', () => {
  const activate = afterRead();
  activate(19, [query('legacy_query')], true);
  const reading = guarded();
  reading.conclude({ scheduleLocalActivity: { seq: 2 } });
  const ask = (queryId: string) => () => {
    reading.activate(19, [query(queryId)], true);
  };
  expect(ask('legacy_query')).toThrow('Ask again');
  expect(ask('q1')).not.toThrow();
});

/** A run whose task, started by the event 19, has read, decided something and answered a query while it read on. */
function asked(queryId: string | null) {
  const { activate, conclude } = guarded();
  activate(19, [timer]);
  conclude({ scheduleLocalActivity: { seq: 1 } });
  activate(19, [{ resolveActivity: { seq: 1, isLocal: true, result: { completed: {} } } }]);
  conclude(
    { startTimer: { seq: 3 } },
    { scheduleLocalActivity: { seq: 2 } },
    { updateResponse: { rejected: {} } },
  );
  if (queryId !== null) activate(19, [query(queryId)]);
  conclude({ respondToQuery: { queryId: 'q1' } });
  return (startedId: number, jobs: Job[]) => () => {
    activate(startedId, jobs);
  };
}

// 20 completes the task, 21 is the marker of the first read, 22 the timer; 23 would be the marker of the second one.
test('a task is refused that begins with a read whose marker stands in the task before', () => {
  expect(asked('q1')(25, [localActivity])).toThrow('the task before');
  expect(asked('q1')(26, [signal, localActivity])).toThrow('the task before');
  expect(asked('q1')(24, [localActivity])).not.toThrow();
  expect(asked('q1')(25, [signal, localActivity])).not.toThrow();
  expect(asked(null)(25, [localActivity])).not.toThrow();
});

test('a replay is never refused: what it brings was completed once', () => {
  afterRead()(22, [update], true);
});
