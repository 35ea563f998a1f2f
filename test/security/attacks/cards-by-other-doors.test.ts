import { Client, Connection } from '@temporalio/client';
import { describe, expect } from 'vitest';
import { createPaymentsClient } from '../../../src/client/create-payments-client.js';
import { InvalidRequestError } from '../../../src/client/errors.js';
import { cardReference } from '../../../src/contract/card.js';
import { changesQuery } from '../../../src/contract/http/changes.js';
import { paymentWorkflowId } from '../../../src/contract/http/notifications.js';
import {
  awaitStatus,
  postbackReceived,
  resolveSubmission,
  retryPayout,
  statusHint,
} from '../../../src/contract/messages.js';
import { nexusAwaitOutcome, nexusReadPayment } from '../../../src/contract/nexus.js';
import { paymentFilter } from '../../../src/contract/http/lists.js';
import { fieldProblems } from '../../../src/contract/problems.js';
import { refundBody, refundInput } from '../../../src/contract/refund.js';
import { messageProblem } from '../../../src/domain/command-messages.js';
import { batchIdProblem, partnerCodeProblem, referenceProblem } from '../../../src/domain/ids.js';
import { orderReading, payoutReading } from '../../../activities/shared/readings.js';
import { statusOf } from '../../../src/domain/statuses.js';
import { readBrowserToken, readOrderRecord, readPayoutList } from '../../../src/payments-service/wire.js';
import { currentDetails, plain } from '../../../workflows/shared/details.js';
import { BatchPage } from '../../../workflows/payout-batch/page.js';
import { attentionIs } from '../../support/payment.js';
import { test } from '../../support/plain-payments.js';
import { freshCode, pixPayout } from '../../support/requests.js';

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

  test('as an amount is none, and is not shown', () => {
    for (const value of [4_111_111_111_119, '4111111111119.00']) {
      const read = readOrderRecord({ id: 7, value });
      expect(read?.valueCentavos).toBeNull();
      expect(read?.valueUnclear).toMatch(/^"?…/);
    }
    const list = readPayoutList({ payouts: [{ id: 7, fee: 4_111_111_111_119 }], total_pages: 1 });
    expect(list?.payouts).toMatchObject([{ fee: 'unreadable' }]);
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

  test.for(codes)('as the code %s is refused, whichever way it comes in', (code) => {
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
    for (const status of [pan, 'see_https://example.org', '**done**'])
      expect(statusHint.safeParse({ source: 'oms', status }).success).toBe(false);
    for (const status of ['done', 'in_analysis', 'other'])
      expect(statusHint.parse({ source: 'oms', status }).status).toBe(status);
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

  test.for([grouped, `order-${pan}`, 'payout-5555-5555-5555-4444', `refund-${pan}`, `order-${grouped}`])(
    'as the workflow %s that shares an identifier has no effect',
    async (workflow_id, { orders }) => {
      const code = freshCode();
      const order = await orders.submitted(code);
      await order.signal('identifierShared', { service_id: orders.idOf(code), workflow_id });
      expect(await order.state()).toMatchObject({ attention: null });
    },
  );

  test('as the workflow of a payment is refused, but for a refund: its order may have a long number', () => {
    for (const id of [`payout-${pan}`, `order-${pan}`, `account-validation-${pan}`, `order-${grouped}`])
      expect(paymentWorkflowId.safeParse(id).success).toBe(false);
    for (const id of [`refund-${pan}`, `payout-a${pan}`, 'order-1', 'account-validation-1', 'refund-%0A'])
      expect(paymentWorkflowId.safeParse(id).success).toBe(true);
  });

  test('as a batch_id is asked of nobody, and not shown by the page that refuses it', async () => {
    const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
    const payments = createPaymentsClient({ client, taskQueue: 'payments' });
    for (const asked of [payments.payoutBatch(pan), payments.payoutBatchOwner(pan)]) {
      const error: unknown = await asked.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(String(error)).not.toContain(pan);
    }
    const payouts = [pan, 'invoice-1'].map((code) => ({ ...pixPayout(code), method: 'pix' as const }));
    const counts = { page: 1, pages: 1, first_row: 1, rows: 2 };
    const page = new BatchPage({ ...counts, batch_id: pan, digest: 'd', payouts });
    expect(JSON.stringify(page.state())).not.toContain(pan);
    expect(page.problem()).toContain('card number');
    expect(page.partnerCodes()).toEqual(['invoice-1']);
  });

  test('in the fraction of a second is refused wherever a moment is named', () => {
    const at = `2026-11-28T12:00:00.${pan}Z`;
    const decided = { by: 'ana', reason: 'why', take_before: at };
    const card = {
      card_ref: '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f',
      task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
    };
    for (const [schema, message, field] of [
      [retryPayout, decided, 'take_before'],
      [cardReference, { ...card, expires_at: at }, 'expires_at'],
      [postbackReceived, { received_at: at, content_type: null, body: '' }, 'received_at'],
      [changesQuery, { since: at }, 'since'],
    ] as const) {
      const { error } = schema.safeParse(message);
      expect(error && fieldProblems(error).map(({ field: named }) => named)).toContain(field);
      expect(schema.safeParse({ ...message, [field]: '2026-11-28T12:00:00.123456789Z' }).success).toBe(true);
    }
    expect(messageProblem('retryPayout', decided)).toContain('take_before must be a moment');
    expect(messageProblem('provideCard', { ...card, expires_at: at })).toContain('expires_at must be');
  });
});

describe('an identifier of the service', () => {
  const decided = { by: 'ana', reason: 'why' };
  /** By each way in which one comes in. */
  const taken = (service_id: unknown) => [
    refundInput.safeParse({ partner_code: 'a', service_id }).success,
    refundBody.safeParse({ service_id }).success,
    resolveSubmission.safeParse({ ...decided, service_id }).success,
    messageProblem('resolveSubmission', { ...decided, service_id }) === undefined,
  ];

  test.for(['ord_1.a:b-c', 'a/b+c=', '17952791824330001', 'x'.repeat(128)])('%s is one everywhere', (id) => {
    expect(taken(id)).toEqual([true, true, true, true]);
    expect(readOrderRecord({ id })).toMatchObject({ id });
  });

  test.for(['', '.', '..', 'a b', 'é', 'x'.repeat(129)])('%j is none anywhere', (id) => {
    expect(taken(id)).toEqual([false, false, false, false]);
    expect(readOrderRecord({ id })).toMatchObject({ id: null });
  });

  test('is a whole number where somebody copies it, and a text where a workflow starts from it', () => {
    expect(taken(7)).toEqual([false, true, true, true]);
    expect(refundBody.parse({ service_id: 7 })).toEqual({ service_id: '7' });
  });
});

test('a bulk retry has one name, whichever way it comes in', () => {
  const decided = { by: 'ana', reason: 'why' };
  for (const bulk_retry_id of ['lote-7', `lote-${pan}`, pan, 'a b', ' lote']) {
    const isOne = ['lote-7', `lote-${pan}`].includes(bulk_retry_id);
    expect(retryPayout.safeParse({ ...decided, bulk_retry_id }).success).toBe(isOne);
    expect(messageProblem('retryPayout', { ...decided, bulk_retry_id }) === undefined).toBe(isOne);
    expect(referenceProblem(bulk_retry_id) === undefined).toBe(isOne);
  }
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
