// A worker of payouts whose slots for workflow tasks are chosen, for the case `slots`. Usage: slots-worker.mjs <slots>
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { bareService } from './bare/service.mjs';
import { connect } from './connect.mjs';
import { slotSuppliers } from './slot-suppliers.mjs';
import { createActivities } from '../../dist/activities/index.js';
import { Lingerers } from '../../dist/activities/shared/lingerers.js';
import { beforeSending } from '../../dist/src/domain/call-limits.js';
import { markSending } from '../../dist/src/temporal/mark-sending.js';

const [, , name] = process.argv;
const { env } = process;
const { client, connection, dataConverter } = await connect(env);
const { service, tokens } = bareService(client, env);
const worker = await Worker.create({
  connection,
  dataConverter,
  taskQueue: `slots-${name}`,
  workflowBundle: { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) },
  tuner: {
    workflowTaskSlotSupplier: slotSuppliers[name],
    activityTaskSlotSupplier: { type: 'fixed-size', numSlots: 200 },
    localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 100 },
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  },
  activities: createActivities({
    service,
    tokens,
    now: Date.now,
    earlierRun: () => Promise.resolve('none'),
    markSending: async (taskToken) =>
      name === 'unmarked' ? undefined : markSending(client, taskToken, beforeSending.markMs),
    lingerers: new Lingerers(),
    publicUrl: env.PUBLIC_URL,
    postbackKeys: [Buffer.from(env.POSTBACK_KEYS.split(':')[1], 'base64')],
  }),
});
await worker.run();
