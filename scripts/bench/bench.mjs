import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { bareService } from './bare/service.mjs';
import { connect } from './connect.mjs';
import { startDirectReceiver } from './direct-receiver.mjs';
import { quickScale, startProcesses } from './processes.mjs';
import { createPaymentsClient } from '../../dist/src/client.js';
import { ensureSearchAttributes } from '../../dist/src/temporal/search-attributes.js';

/** What the cases use: the processes, and an OMS that starts payments by client or over HTTP and waits for their end. */
export async function startBench({ server = {}, fleet, postgresShards } = {}) {
  const processes = await startProcesses({ dynamicConfig: server, fleet, postgresShards });
  const { env, temporal, url } = processes;
  const { client, connection } = await connect(env);
  await ensureSearchAttributes(connection, temporal.namespace);
  const pools = Object.fromEntries(
    Object.entries(url).map(([name, addresses]) => [
      name,
      [addresses].flat().map((address) => new Pool(address, { connections: 100 })),
    ]),
  );
  let requests = 0;
  const bare = bareService(client, env);
  const receiver = await startDirectReceiver(client);
  processes.workersOf(receiver.url);
  const clientOf = (pollScale, taskQueue = 'payments') =>
    createPaymentsClient({ client, taskQueue, ...(pollScale === 1 ? {} : { pollScale }) });
  const http = async (gateway, method, path, body) => {
    requests += 1;
    const answer = await pools[gateway][requests % pools[gateway].length].request({
      method,
      path,
      headers: { authorization: `Bearer ${processes.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const { statusCode } = answer;
    if (statusCode >= 300) {
      const said = new Error(`${method} ${path}: ${String(statusCode)} ${text}`);
      throw Object.assign(said, { statusCode });
    }
    return JSON.parse(text);
  };
  return {
    processes,
    client,
    bare: bare.activities,
    clientOf,
    /** Payments that are read after 50 milliseconds, and those with the usual waiting times. */
    quick: clientOf(quickScale),
    usual: clientOf(1),
    /** With the usual waiting times, and postbacks that the gateway has no part in. */
    direct: clientOf(1, 'payments-direct'),
    http,
    freshCode: () => randomUUID(),
    /** Sets a status at the service, which reports it by postback. */
    setStatus: (kind, code, status) => http('sandbox', 'POST', `/sandbox/${kind}/${code}/status`, { status }),
    /** Waits for the end of a workflow, and that it ended well. */
    ended: async (workflowId, status = 'done') => {
      const result = await client.workflow.getHandle(workflowId).result();
      if ((result.status ?? result) !== status)
        throw new Error(`${workflowId} ended ${JSON.stringify(result.status ?? result)}.`);
      return result;
    },
    count: async (query) => {
      const { namespace } = temporal;
      return Number((await client.workflowService.countWorkflowExecutions({ namespace, query })).count);
    },
    bareWorkflow: (type, args) =>
      client.workflow.start(type, { taskQueue: 'bare', workflowId: `${type}-${randomUUID()}`, args }),
    close: async () => {
      await Promise.all(Object.values(pools).flatMap((all) => all.map((pool) => pool.close())));
      await bare.service.close();
      receiver.close();
      await connection.close();
      await processes.close();
    },
  };
}
