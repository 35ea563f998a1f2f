import { vi } from 'vitest';
import { createOms } from '../../processes/support/oms.js';
import type { Oms } from '../../processes/support/oms.js';
import { waiting } from '../../support/waiting.js';
import type { plantedWords } from './secrets.js';

type Words = ReturnType<typeof plantedWords>;

/** An answer of the gateway, as it came. */
export type Answered = { readonly status: number; readonly text: string };

/** Drives the program through its HTTP API with planted words in every field that takes one. */
export function callsOf(url: string, apiKey: string, words: Words) {
  const answers: Answered[] = [];
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  const call = async (
    method: string,
    path: string,
    body?: object | string,
    more: object = {},
  ): Promise<string> => {
    const answered = await vi.waitUntil(async () => {
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, ...more },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      // A busy gateway: nothing was done, and it is sent again.
      return !text.includes('problem:overloaded') && { status: answer.status, text };
    }, waiting);
    answers.push(answered);
    return answered.text;
  };
  const post = (path: string, body: object | string, more: object = {}) => call('POST', path, body, more);
  const oms: Oms = createOms(url, apiKey);
  const until = async (path: string, ...statuses: string[]) => {
    await oms.until(path, ...statuses);
    await call('GET', path);
  };

  const creditCard = {
    ...{ holder: 'ANA LIMA', number: words.pan, cvv: words.cvv },
    ...{ due_date: `12/${String(new Date().getUTCFullYear() + 2)}`, brand: 'visa' },
  };
  const customer = { name: 'Ana Lima', email: words.email, phone: '+5511987654321', document: words.cpf };
  const order = (code: string, tags = '', more: object = { credit_card: creditCard }) => ({
    order: { partner_code: `leak-${code}`, value: 99.9, description: `Two tickets ${tags}` },
    customer,
    ...more,
  });
  const pix = (code: string, tags = '', more: object = {}) => ({
    ...{ partner_code: `leak-${code}`, value: 25, pix: words.pix, document: words.cpf },
    ...{ first_name: 'Ana', last_name: 'Lima', email: tags === '' ? words.email : `${tags}@example.com` },
    ...more,
  });

  const payee = { first_name: 'Ana', last_name: 'Lima', document: words.cpf };
  const bank = { bank_code: '001', account: '12345-6' };
  const transfer = (code: string) => ({
    ...{ partner_code: `leak-${code}`, value: 25, agency: '0001', account_type: 'checking' },
    ...{ ...payee, ...bank, email: words.email },
  });

  const orders: [code: string, tags: string, end: string][] = [
    ['paid', '', 'compensated'],
    ['denied', 'sandbox:denied', 'denied'],
    ['charged-back', 'sandbox:chargeback', 'chargeback'],
    ['doubted', 'sandbox:401', 'submission_unknown'],
    ['throttled', 'sandbox:429', 'compensated'],
    ['refused', 'relay-refuses', 'rejected'],
    ['repeated', 'relay-repeats', 'compensated'],
    ['broken', 'sandbox:truncated', 'submission_unknown'],
    ['silent', 'sandbox:hang', 'submission_unknown'],
  ];
  const payouts: [code: string, tags: string, end: string][] = [
    ['done', '', 'done'],
    ['retried', 'sandbox+error-once', 'error'],
    ['hidden', 'relay-refuses', 'rejected'],
    ['shown', 'relay-repeats', 'done'],
    ['notified', '', 'done'],
    ['bulk', 'sandbox+error-once', 'error'],
  ];

  return {
    answers: (): readonly Answered[] => answers,

    async everyStart(): Promise<void> {
      const ticket = JSON.parse(await post('/v1/cards', creditCard)) as object;
      await Promise.all([
        ...orders.map(([code, tags]) => post('/v1/orders/card', order(code, tags))),
        ...payouts.map(([code, tags]) =>
          post(
            '/v1/payouts/pix',
            pix(code, tags, code === 'notified' ? { notify: { webhook: 'shop' } } : {}),
          ),
        ),
        post('/v1/orders/card', order('stored-card', '', { card: ticket })),
        post('/v1/orders/checkout', {
          order: {
            ...order('checkout', 'sandbox:checkout-paid').order,
            redirect_url: 'https://shop.example.com',
          },
          customer,
        }),
        post('/v1/orders/3ds', order('3ds', '', {})),
        post('/v1/payouts/transfer', transfer('transfer')),
        post('/v1/payout-batches', { batch_id: 'leak', payouts: [{ method: 'pix', ...pix('batched') }] }),
        post('/v1/account-validations', { partner_code: 'leak-account', ...payee, ...bank }),
      ]);
      await post('/v1/orders/card', order('paid'));
      await post('/v1/orders/card', order('paid', 'but another'));
    },

    /** Cards and persons where they don't belong, and what can't be read at all. */
    async everyRefusal(): Promise<void> {
      const paid = order('invalid');
      await Promise.all([
        post('/v1/orders/card', { ...paid, [words.pan]: words.cvv }),
        post('/v1/orders/card', { ...paid, customer: { ...customer, name: `Ana ${words.pan}` } }),
        post('/v1/orders/card', { ...paid, customer: { ...customer, note: Number(words.pan) } }),
        post('/v1/orders/card', { ...paid, customer: { ...customer, document: `${words.cpf}0` } }),
        post('/v1/orders/card', { ...paid, order: { ...paid.order, partner_code: words.pan } }),
        post('/v1/orders/card', order('invalid', words.pan)),
        post('/v1/orders/card', JSON.stringify(paid).slice(0, -20)),
        post('/v1/orders/card', JSON.stringify(paid), { 'content-type': 'text/plain' }),
        post('/v1/orders/card', { ...paid, padding: 'x'.repeat(70_000) }),
        post('/v1/cards', { ...creditCard, number: `${words.pan.slice(0, -1)}${otherDigit(words.pan)}` }),
        post('/v1/cards', { ...creditCard, cvv: `${words.cvv}1`, brand: words.pan }),
        post('/v1/payouts/pix', pix('invalid', '', { pix: words.pan })),
        post('/v1/payouts/pix', pix('invalid', '', { first_name: words.pan, surplus: words.email })),
        post(`/v1/payouts/leak-done/retry`, { reason: words.pan }),
        call('GET', `/v1/orders/${words.pan}`),
        call('GET', `/v1/orders?status=${words.email}`),
      ]);
    },

    /** As the service sends them, with all that it knows in them. */
    async postbacks(urls: readonly string[]): Promise<void> {
      const body = JSON.stringify({ id: '1', credit_card: creditCard.number, customer });
      for (const address of urls) {
        await fetch(address, { method: 'POST', body });
        await fetch(`${address.slice(0, -3)}abc`, { method: 'POST', body });
      }
    },

    async everyEnd(): Promise<void> {
      await until('/v1/payouts/leak-retried', 'error');
      const corrections = { pix: words.pix, document: words.cpf };
      await post('/v1/payouts/leak-retried/retry', { corrections, reason: `asked by ${words.email}` });
      await until('/v1/payouts/leak-retried', 'done');
      await until('/v1/orders/leak-3ds', 'awaiting_authentication');
      await post('/v1/orders/leak-3ds/3ds-token', {});
      const authenticated = { callback: 'authenticated', eci: '05', credit_card: creditCard };
      await post('/v1/orders/leak-3ds/3ds-completion', authenticated);
      await until('/v1/orders/leak-3ds', 'compensated');
      await until('/v1/orders/leak-paid', 'compensated');
      await post('/v1/orders/leak-paid/refund', { reason: `asked by ${words.email}` }, { prefer: 'wait=10' });
      await Promise.all([
        // The one that was refunded is no longer what it was.
        ...orders
          .filter(([code]) => code !== 'paid')
          .map(([code, , end]) => until(`/v1/orders/leak-${code}`, end)),
        ...payouts
          .filter(([code]) => code !== 'retried' && code !== 'bulk')
          .map(([code, , end]) => until(`/v1/payouts/leak-${code}`, end)),
        ...['stored-card', 'checkout'].map((code) => until(`/v1/orders/leak-${code}`, 'compensated')),
        ...['transfer', 'batched'].map((code) => until(`/v1/payouts/leak-${code}`, 'done')),
      ]);
      await call('GET', '/v1/account-validations/leak-account', undefined, { prefer: 'wait=10' });
      await call('GET', '/v1/orders/leak-paid/refund');
      await call('GET', '/v1/payout-batches/leak');
      await call('GET', '/v1/orders');
      await call('GET', '/v1/payouts');
    },

    /** All that failed is retried at once; to be called after the ends. */
    async bulkRetry(): Promise<void> {
      await until('/v1/payouts/leak-bulk', 'error');
      await post('/v1/bulk-retries', {
        ...{ bulk_retry_id: 'leak', reason: `asked by ${words.email}`, canary: 0 },
        filter: { partner_codes: ['leak-bulk'] },
      });
      await until('/v1/payouts/leak-bulk', 'done');
      await call('GET', '/v1/bulk-retries/leak');
      await call('GET', '/v1/bulk-retries/leak/report');
      await call('GET', '/v1/bulk-retries/leak/report', undefined, { accept: 'text/csv' });
    },

    startSlowly: () => post('/v1/orders/card', order('slow', 'sandbox:hang')),

    /** Neither can be sent. */
    async whileDown(): Promise<void> {
      await post('/v1/orders/card', order('down'), { prefer: 'wait=2' });
      await post('/v1/payouts/pix', pix('down'), { prefer: 'wait=2' });
    },
  };
}

/** A last digit with which the number fails its check. */
function otherDigit(number: string): string {
  return String((Number(number.at(-1)) + 1) % 10);
}
