// A worker of the bare SDK, as a process of its own: the workflows of workflows.mjs, encrypted like payments.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { bareService } from './service.mjs';
import { connect } from '../connect.mjs';

const { client, connection, dataConverter, logger } = await connect(process.env);
const { activities } = bareService(client, process.env);
const worker = await Worker.create({
  connection,
  dataConverter,
  taskQueue: 'bare',
  maxConcurrentWorkflowTaskExecutions: 200,
  maxConcurrentActivityTaskExecutions: 200,
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows.mjs', import.meta.url)),
    logger,
  }),
  activities,
});
await worker.run();
