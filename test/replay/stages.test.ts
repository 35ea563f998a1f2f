import '../support/lighter-workers.js';
import { fileURLToPath } from 'node:url';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { everyStage } from '../support/lifecycles/stages.js';
import { testWorkflowDataConverter } from '../support/temporal-data-converter.js';
import { quietRuntime } from '../support/temporal-runtime.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { keptHistories, workflowIdOf } from './kept-histories.js';
import type { StageSinks } from './report-stages.js';

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('there is a kept history of each stage in which a payment waits, or has ended', async () => {
  quietRuntime();
  const seen = new Set<string>();
  const sinks: InjectedSinks<StageSinks> = {
    stages: {
      seen: {
        fn: ({ workflowType }, stage) => void seen.add(`${workflowType} ${stage}`),
        callDuringReplay: true,
      },
    },
  };
  const workflowBundle = await testWorkflowBundle(pathTo('../../workflows/index.ts'), [
    pathTo('./report-stages.ts'),
  ]);
  const options = { workflowBundle, dataConverter: testWorkflowDataConverter, sinks };
  const histories = (await keptHistories()).map(({ history }) => ({
    workflowId: workflowIdOf(history),
    history,
  }));
  for await (const { error } of Worker.runReplayHistories(options, histories)) {
    expect(error).toBeUndefined();
  }
  const all = everyStage.map(({ lifecycle, stage }) => `${lifecycle} ${stage}`);
  expect(all.filter((stage) => !seen.has(stage))).toEqual([]);
});
