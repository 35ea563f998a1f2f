import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { call, type Answer } from '../gateway/call.js';
import { startDeployment } from '../support/deployment.js';
import { hostedCheckout } from '../support/requests.js';

/** As many run side by side; docs/reliability.md states the results of `IDENTIFIER_PAIRS=50`. */
const pairs = Array.from({ length: Number(process.env.IDENTIFIER_PAIRS ?? 5) });

// Waits that are long enough for a status to pass.
const stack = await startDeployment({ isWhole: true, gateway: { pollScale: 0.2 } });
afterAll(() => stack.close());

const post = (path: string, body: object) =>
  call(stack.gateway.url, 'POST', path, { key: stack.apiKey, body, headers: { prefer: 'wait=20' } });

/** Without digits: the answers leave out what could be a card number. */
const newCode = () => randomUUID().replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

async function checkout(description: string, code = newCode()): Promise<{ code: string; answer: Answer }> {
  return { code, answer: await post('/v1/orders/checkout', hostedCheckout(code, description)) };
}

async function unknownCheckout(tag: 'accepted-then-dropped' | 'dropped-before'): Promise<string> {
  const { answer, code } = await checkout(`sandbox:${tag}`);
  expect(answer.body.status).toBe('submission_unknown');
  return code;
}

const resolve = (code: string, service_id: string) =>
  post(`/v1/orders/${code}/resolve`, { service_id, reason: 'seen in the dashboard' });

const stateOf = async (code: string) =>
  (await call(stack.gateway.url, 'GET', `/v1/orders/${code}`, { key: stack.apiKey })).body;

const idOf = (code: string) => stack.sandbox.ledger(code).orders[0]?.id ?? '';

test('of two orders that are resolved to one identifier at once, one gets it', async () => {
  await Promise.all(
    pairs.map(async () => {
      const codes = [await unknownCheckout('accepted-then-dropped'), await unknownCheckout('dropped-before')];
      const id = idOf(codes[0] ?? '');
      const answers = await Promise.all(codes.map((code) => resolve(code, id)));
      const states = await Promise.all(codes.map(stateOf));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(states.map(({ service_id }) => service_id).sort()).toEqual([id, null].sort());
      const [accepted] = codes.filter((_code, at) => answers[at]?.status === 200);
      expect(answers.find(({ status }) => status === 409)?.body.detail).toContain(
        `order-${String(accepted)}`,
      );
    }),
  );
});

test('an order is not resolved to the identifier of one that was made a moment before', async () => {
  await Promise.all(
    pairs.map(async () => {
      const unknown = await unknownCheckout('dropped-before');
      const { code } = await checkout('Two books');
      const answer = await resolve(unknown, idOf(code));
      expect(answer).toMatchObject({ status: 409, body: { reason: 'InvalidMessage' } });
      expect(answer.body.detail).toContain(`order-${code}`);
      expect(await stateOf(unknown)).toMatchObject({ status: 'submission_unknown', service_id: null });
    }),
  );
});

test('two orders to which the service gave one identifier need attention within a minute, and neither is paid', async () => {
  const { client, taskQueue } = stack.server;
  const check = await client.workflow.start('identifierCheck', { workflowId: 'identifier-check', taskQueue });
  await Promise.all(
    pairs.map(async () => {
      const { code } = await checkout('Two books');
      const id = idOf(code);
      const otherCode = newCode();
      const body = { id, status: 'waiting_payment', checkout_url: 'https://pay.example/1' };
      stack.sandbox.fault({
        ...{ endpoint: 'POST /v1/checkout', partner_code: otherCode },
        fault: { effect: 'none', status: 200, body },
      });
      await checkout('Two books', otherCode);
      stack.sandbox.setOrderStatus(code, 'paid');
      for (const each of [code, otherCode]) {
        // It needs attention at once, and is examined by a read.
        const isExamined = async () => (await stateOf(each)).service_id === null;
        await vi.waitUntil(isExamined, { timeout: 60_000, interval: 500 });
        const unknown = { status: 'submission_unknown', attention: 'inconsistent_answer' };
        expect(await stateOf(each)).toMatchObject(unknown);
      }
    }),
  );
  await check.terminate();
});
