import { fileURLToPath } from 'node:url';
import { WorkflowFailedError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { address, connect, dataConverter } from '../connect.js';
import { paymentActivities } from './payments.js';
import { storeCard } from './store-card.js';
import * as ticketActivities from './tickets.js';
import type { sellTickets } from './workflows.js';

const [partnerCode = ''] = process.argv.slice(2);
const number = '4111111111111111';
const card = await storeCard({ holder: 'ANA LIMA', number, cvv: '123', due_date: '12/2039', brand: 'visa' });

const { client, payments } = await connect();
const { namespace } = client.options;
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('./workflows.js', import.meta.url));
const activities = { ...paymentActivities(payments), ...ticketActivities };
const taskQueue = 'oms';
const shared = { connection, namespace, dataConverter, taskQueue };
const worker = await Worker.create({ ...shared, workflowsPath, activities });
const args: Parameters<typeof sellTickets> = [partnerCode, card];
const options = { workflowId: `sale-${partnerCode}`, taskQueue, args };
const outcome = await worker.runUntil(
  client.workflow.execute<typeof sellTickets>('sellTickets', options).catch((error: unknown) => {
    if (error instanceof WorkflowFailedError) return `undone: ${rootCause(error.cause)}`;
    throw error;
  }),
);
console.log(`${options.workflowId}: ${outcome}`);
await Promise.all([connection.close(), client.connection.close()]);
