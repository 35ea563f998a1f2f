import '../support/lighter-workers.js';
import { fileURLToPath } from 'node:url';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { cardOrderStages, orderStages, threeDSecureStages } from '../../src/domain/order-stages.js';
import { payoutStages } from '../../src/domain/payout-stages.js';
import { refundStages } from '../../src/domain/refund-stages.js';
import { validationStages } from '../../src/domain/validation-stages.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { quietRuntime } from '../support/temporal-runtime.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { keptHistories, workflowIdOf } from './kept-histories.js';
import type { StageSinks } from './report-stages.js';

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const tables = {
  payout: payoutStages,
  card_order: cardOrderStages,
  hosted_checkout: orderStages,
  three_d_secure_order: threeDSecureStages,
  refund: refundStages,
  account_validation: validationStages,
};

test('there is a kept history of each stage of each lifecycle', async () => {
  quietRuntime();
  const seen = new Set<string>();
  const sinks: InjectedSinks<StageSinks> = {
    stages: {
      seen: { fn: (_info, kind, stage) => void seen.add(`${kind} ${stage}`), callDuringReplay: true },
    },
  };
  const workflowBundle = await testWorkflowBundle(pathTo('../../workflows/index.ts'), [
    pathTo('./report-stages.ts'),
  ]);
  const options = { workflowBundle, dataConverter: testDataConverter, sinks };
  const histories = (await keptHistories()).map(({ history }) => ({
    workflowId: workflowIdOf(history),
    history,
  }));
  for await (const { error } of Worker.runReplayHistories(options, histories)) {
    expect(error).toBeUndefined();
  }
  const all = Object.entries(tables).flatMap(([kind, table]) =>
    Object.keys(table).map((stage) => `${kind} ${stage}`),
  );
  expect(all.filter((stage) => !seen.has(stage))).toEqual([]);
});
