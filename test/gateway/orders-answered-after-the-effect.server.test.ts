import { afterAll, afterEach, expect, test } from 'vitest';
import { startDeployment } from '../support/deployment.js';
import { waiting } from '../support/waiting.js';
import { card, newCode } from './requests.js';
import { call, type Answer } from './call.js';

/** Tags of the sandbox: it does the work, and answers so. */
const tags = ['401-after', '403-after', '403-html-after', '409-after', '422-taken-after', '500-after'];

const stack = await startDeployment({ isWhole: true, gateway: { pollScale: 0.05 } });
afterEach(() => stack.finish());
afterAll(() => stack.close());

const customer = {
  ...{ name: 'Ana Souza', email: 'ana@example.com', phone: '+5511987654321', document: '52998224725' },
};
const order = (partner_code: string, tag: string, more: object = {}) => ({
  order: { partner_code, value: 99.9, description: `Two books sandbox:${tag}`, ...more },
  customer,
});
const post = (path: string, body: object) =>
  call(stack.gateway.url, 'POST', path, { key: stack.apiKey, body });

async function until(path: string, status: string): Promise<void> {
  const isShown = async () => {
    const options = { key: stack.apiKey, headers: { prefer: 'wait=30' } };
    return (await call(stack.gateway.url, 'GET', `${path}?until=${status}`, options)).body.status;
  };
  await expect.poll(isShown, waiting).toBe(status);
}

/** Starts one for each tag; answers their codes once their outcome is unknown. */
async function unknown(
  start: (code: string, tag: string) => Promise<Answer>,
  path = '/v1/orders',
): Promise<string[]> {
  return Promise.all(
    tags.map(async (tag) => {
      const code = newCode();
      expect((await start(code, tag)).status).toBeLessThan(300);
      await until(`${path}/${code}`, 'submission_unknown');
      return code;
    }),
  );
}

const timesMade = (codes: readonly string[]) => codes.map((code) => stack.sandbox.ledger(code).orders.length);
const once = tags.map(() => 1);

test('a card order that the service makes and answers as if it had not is of unknown outcome, and made once', async () => {
  const codes = await unknown((code, tag) =>
    post('/v1/orders/card', { ...order(code, tag), credit_card: card() }),
  );
  expect(timesMade(codes)).toEqual(once);
});

test('a card order that the service makes and refuses is found by a postback, and needs an operator', async () => {
  const codes = await Promise.all(
    ['400-after', '404-after', '422-after', '501-after'].map(async (tag) => {
      const code = newCode();
      const tagged = order(code, `${tag}+read-with-partner-code-always`);
      await post('/v1/orders/card', { ...tagged, credit_card: card() });
      await until(`/v1/orders/${code}`, 'rejected');
      stack.sandbox.setOrderStatus(code, 'paid');
      await until(`/v1/orders/${code}`, 'paid');
      const { body } = await call(stack.gateway.url, 'GET', `/v1/orders/${code}`, { key: stack.apiKey });
      expect(body).toMatchObject({ attention: 'inconsistent_answer' });
      return code;
    }),
  );
  expect(timesMade(codes)).toEqual([1, 1, 1, 1]);
});

test('so is a checkout', async () => {
  const redirect = { redirect_url: 'https://shop.example/thanks' };
  const codes = await unknown((code, tag) => post('/v1/orders/checkout', order(code, tag, redirect)));
  expect(timesMade(codes)).toEqual(once);
});

test('so is a 3D Secure order', async () => {
  const codes = await unknown((code, tag) => post('/v1/orders/3ds', order(code, tag)));
  expect(timesMade(codes)).toEqual(once);
});

test('so is the completion of a 3D Secure order', async () => {
  const codes = await unknown(async (code, tag) => {
    await post('/v1/orders/3ds', order(code, `completion-${tag}`));
    await until(`/v1/orders/${code}`, 'awaiting_authentication');
    return post(`/v1/orders/${code}/3ds-completion`, {
      ...{ callback: 'pares=abc', eci: '05', credit_card: card() },
    });
  });
  const submitted = codes.map((code) => stack.sandbox.ledger(code).orders[0]?.times_submitted);
  expect(submitted).toEqual(once);
});

test('so is a validation', async () => {
  stack.sandbox.postbacks('off');
  const codes = await unknown(
    (partner_code, tag) =>
      post('/v1/account-validations', {
        ...{ partner_code, first_name: 'Ana', last_name: 'Souza', document: '52998224725' },
        ...{ bank_code: '001', account: `sandbox+${tag}` },
      }),
    '/v1/account-validations',
  );
  expect(codes.map((code) => stack.sandbox.ledger(code).validations.length)).toEqual(once);
});
