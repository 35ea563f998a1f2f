import { describe, expect } from 'vitest';
import { awaitStatus, statusHint } from '../../../src/contract/messages.js';
import { nexusAwaitOutcome, nexusReadPayment } from '../../../src/contract/nexus.js';
import { paymentFilter } from '../../../src/contract/http/lists.js';
import { messageProblem } from '../../../src/domain/command-messages.js';
import { batchIdProblem, partnerCodeProblem, referenceProblem } from '../../../src/domain/ids.js';
import { orderReading, payoutReading } from '../../../activities/shared/readings.js';
import { statusOf } from '../../../src/domain/statuses.js';
import { readBrowserToken, readOrderRecord, readPayoutList } from '../../../src/payments-service/wire.js';
import { currentDetails, plain } from '../../../workflows/shared/details.js';
import { attentionIs } from '../../support/payment.js';
import { test } from '../../support/plain-payments.js';
import { freshCode } from '../../support/requests.js';

const pan = '5555555555554444';
const cvv = '737';
const grouped = '5555 5555 5555 4444';

describe('a status of the service', () => {
  test.for([
    ...[
      pan,
      `${pan}_${cvv}_paid`,
      grouped,
      '5555a5555b5555c4444',
      '５５５５５５５５５５５５４４４４',
      '12345',
    ],
    ...['see_https://example.org', 'www.example.org', '[pay](//example.org)', '**done**', '`done`', '<b>'],
    ...['dоne', 'paid|done', '_done_'],
  ])('%s is kept as other', (word) => {
    expect(statusOf(word)).toBe('other');
  });

  test.for([
    ...[
      ['done', 'done'],
      ['In Analysis', 'in_analysis'],
      ['Concluído', 'concluído'],
      ['error-404', 'error_404'],
    ],
    ...[
      ['3ds_pending', '3ds_pending'],
      ['refund__denied', 'refund__denied'],
      ['toString', 'tostring'],
    ],
  ] as const)('%s stands as it comes, in its normal form', ([word, status]) => {
    expect(statusOf(word)).toBe(status);
  });
});

describe('a card number that the service answers', () => {
  const record = {
    id: 7,
    status: `${pan}_${cvv}`,
    value: pan,
    amount: null,
    partner_code: 'x',
    claimed_at: grouped,
  };

  test('to a read is in no word of the record', () => {
    expect(JSON.stringify(readOrderRecord(record))).not.toMatch(/5555 ?5555|[^0-9a-f]737/);
  });

  test('in its list is in no word of a record', () => {
    const words = { paid_at: pan, provider: `Bank ${grouped}`, fee: pan };
    const list = readPayoutList({ payouts: [{ ...record, ...words }], total_pages: 1, current_page: 1 });
    expect(list?.payouts).toHaveLength(1);
    expect(JSON.stringify(list)).not.toMatch(/5555 ?5555|[^0-9a-f]737/);
  });

  test('as a token for the browser is none', () => {
    expect(readBrowserToken({ token: pan })).toBeUndefined();
    expect(readBrowserToken({ token: 'token-1' })).toEqual({ token: 'token-1' });
  });

  test('to the reads of an order is neither in its state nor in its history', async ({ orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    const body = { id: pan, status: `${pan}_${cvv}`, partner_code: pan, value: 89.9 };
    for (const shown of [body, { ...body, id: orders.idOf(code) }]) {
      const fault = { effect: 'none' as const, status: 200, body: shown };
      sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 50, fault });
      await order.signal('statusHint');
      const state = await order.until(attentionIs('inconsistent_answer'), '1 hour');
      expect(JSON.stringify(state)).not.toMatch(/5555 ?5555|_737/);
      expect(currentDetails(state)).not.toMatch(/5555 ?5555|_737/);
      sandbox.clearFaults();
    }
  });
});

describe('a partner_code of ours that looks like a card number behind a letter', () => {
  const ours = `invoice-${pan}`;

  test('is shown in full where it is ours, and without those digits elsewhere', () => {
    const record = { id: '7', status: 'paid', partnerCode: ours, valueCentavos: 100 };
    expect(orderReading(record, ours).partner_code).toBe(ours);
    expect(orderReading(record, 'invoice-5').partner_code).toBe('invoice-…');
    const retried = { ...record, partnerCode: `${ours}-r2`, claimedAt: null };
    expect(payoutReading(retried, ours).partner_code).toBe(`${ours}-r2`);
  });

  test('is paid by pix, found and followed to its end', async ({ payouts }) => {
    const payout = await payouts.shownAs(ours, 'done');
    expect(await payout.state()).toMatchObject({ status: 'done', attention: null });
  });
});

describe('a card number that comes in', () => {
  const codes = [pan, '5555-5555-5555-4444', '5555.5555_5555-4444'];

  test.for(codes)('as the code %s is refused at every door', (code) => {
    for (const problemOf of [batchIdProblem, referenceProblem]) expect(problemOf(code)).toContain('card');
    expect(partnerCodeProblem('payout', code)).toContain('card');
    expect(nexusReadPayment.safeParse({ kind: 'payout', partner_code: code }).success).toBe(false);
    expect(paymentFilter.safeParse({ kinds: ['payout'], partner_code: code }).success).toBe(false);
  });

  test.for(['invoice-4711', '2026-11-28.0001', '20261128000017', `a${pan}`])('%s is still a code', (code) => {
    expect(partnerCodeProblem('payout', code)).toBeUndefined();
  });

  test('as a status is refused by Nexus, Update, Signal and filter', () => {
    const awaited = { statuses: [pan], timeout_seconds: 1 };
    expect(nexusAwaitOutcome.safeParse({ kind: 'order', partner_code: 'a', statuses: [pan] }).success).toBe(
      false,
    );
    expect(awaitStatus.safeParse(awaited).success).toBe(false);
    expect(messageProblem('awaitStatus', awaited)).toContain('must be one of');
    expect(statusHint.safeParse({ source: 'oms', status: pan }).success).toBe(false);
    expect(paymentFilter.safeParse({ kinds: ['payout'], status: pan }).success).toBe(false);
    expect(paymentFilter.safeParse({ kinds: ['payout'], status: 'other' }).success).toBe(true);
  });

  test('by a Signal of a bare client is no candidate of an order', async ({ orders }) => {
    const order = await orders.unknown(freshCode());
    await order.signal('postbackReceived', { body: JSON.stringify({ id: pan, order_id: '4711' }) });
    const state = await order.state();
    expect(state).toMatchObject({ candidates: ['4711'] });
    expect(JSON.stringify(state)).not.toContain('55555555');
  });

  test('as the workflow that shares an identifier has no effect', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    await order.signal('identifierShared', { service_id: orders.idOf(code), workflow_id: grouped });
    expect(await order.state()).toMatchObject({ attention: null });
  });
});

describe('Markdown that comes from outside', () => {
  test('makes no link, picture or heading in the details of a payment', async ({ orders }) => {
    const order = await orders.submitted(freshCode());
    const state = await order.state();
    const service_id = '`[pay](https://example.org)`';
    const last_read = { at: state.updated_at, cause: 'hint' as const, status: '`![x](https://example.org)' };
    const details = currentDetails({ ...state, service_id, last_read });
    expect(details).toContain('`’[pay](https://example.org)’`');
    expect(details).toContain('`’![x](https://example.org)`');
    for (const words of ['see https://example.org', 'WWW.example.org', '[a](b)', '![a](b)', '# a', '<a>'])
      expect(plain(words)).not.toMatch(/:\/\/\S|www\.\S|(?<!\\)[[\]<>#]/i);
  });
});
