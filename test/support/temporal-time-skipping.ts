import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { inject } from 'vitest';
import { indexedValueTypes } from '../../src/temporal/search-attributes.js';
import { StartedWorkflows } from './started-workflows.js';
import { testDataConverter } from './temporal-data-converter.js';
import { quietRuntime } from './temporal-runtime.js';

/** A server of this test file alone, on which days pass in moments. */
export type TimeSkippingServer = {
  readonly env: TestWorkflowEnvironment;
  /** What `env.client` started; for `replayAfter`. */
  readonly started: StartedWorkflows;
  readonly taskQueue: string;
};

/**
 * Starts a server that skips time whenever a workflow's result is awaited, or on `env.sleep`. It knows Updates,
 * update-with-start and search attributes, but no Schedules and no search. Call `env.teardown()` in `afterAll`.
 *
 * Let one sleep end before the next begins: two at a time take away the hold that a call has on its clock, that call fails
 * where it lets go of it (`Unbalanced lock and unlock calls`) and keeps its workflow locked, and the server hangs.
 */
export async function startTimeSkippingServer(): Promise<TimeSkippingServer> {
  const path = inject('timeSkippingServerPath');
  quietRuntime();
  const started = new StartedWorkflows();
  const env = await withinFiveSeconds(() =>
    TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
      client: { dataConverter: testDataConverter, interceptors: { workflow: [started.interceptor] } },
    }),
  );
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: indexedValueTypes(),
  });
  return { env, started, taskQueue: `test-${randomUUID()}` };
}

/** The SDK gives a server five seconds to start, which is too little on a busy machine. */
async function withinFiveSeconds<T>(start: () => Promise<T>, tries = 15): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (tries > 1 && String(error).includes('did not start within'))
      return withinFiveSeconds(start, tries - 1);
    throw error;
  }
}
