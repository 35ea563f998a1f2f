// A thread of `npm run simulate`: simulates part after part of what it is given.
import { parentPort, workerData } from 'node:worker_threads';

const { simulate } = await import(workerData.module);

parentPort.on('message', async ({ kind, payments, seed }) => {
  parentPort.postMessage(await simulate(kind, payments, seed));
});
