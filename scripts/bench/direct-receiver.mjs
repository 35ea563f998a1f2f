import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';

/** What the gateway signals of the postbacks of a payout, and of a validation. */
const signalled = ['done', 'valid'];

/** Receives postbacks in place of a gateway and signals at once those that matter, without what the gateway does for it. */
export async function startDirectReceiver(client) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const [id] = request.url.split('/').at(-1).split('.');
      const workflowId = Buffer.from(id, 'base64url').toString();
      void signal(client, workflowId, body).then((status) => response.writeHead(status).end());
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String(server.address().port)}`,
    close: () => server.close(),
  };
}

async function signal(client, workflowId, body) {
  if (!signalled.includes(JSON.parse(body).status)) return 200;
  const hint = { received_at: new Date().toISOString(), content_type: 'application/json', body };
  try {
    await client.workflow.getHandle(workflowId).signal('postbackReceived', hint);
    return 200;
  } catch {
    return 503;
  }
}
