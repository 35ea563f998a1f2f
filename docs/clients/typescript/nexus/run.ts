import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { address, connect, dataConverter } from '../connect.js';
import type { payRent } from './workflows.js';

const [partner_code = '', pix = '', otherPix = ''] = process.argv.slice(2);
const payee = { first_name: 'Ana', last_name: 'Lima', document: '52998224725' };

// TEMPORAL_NAMESPACE is the caller's own; payments has another one.
const { client } = await connect();
const { namespace } = client.options;
const connection = await NativeConnection.connect({ address });
const taskQueue = 'oms';
const workflowsPath = fileURLToPath(new URL('./workflows.js', import.meta.url));
const worker = await Worker.create({ connection, namespace, dataConverter, taskQueue, workflowsPath });
const rent = { method: 'pix', partner_code, value: 150.5, pix, ...payee } as const;
const args: Parameters<typeof payRent> = [rent, otherPix];
const options = { workflowId: `rent-${partner_code}`, taskQueue, args };
const outcome = await worker.runUntil(client.workflow.execute<typeof payRent>('payRent', options));
console.log(`${options.workflowId}: ${outcome}`);
await Promise.all([connection.close(), client.connection.close()]);
