import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderState } from '../../src/contract/state.js';
import { refusalOf } from '../support/refusal.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, testCard, threeDSecureOrder } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const card = () => {
  const { card_ref, task_queue } = rig.cardStore.put(testCard);
  return { card_ref, task_queue };
};
const lostCard = () => {
  const lost = card();
  rig.cardStore.discard(lost.card_ref);
  return lost;
};
const completion = (more: object = {}) => ({ callback: 'pares=abc', eci: '05', card: card(), ...more });
const start = (code: string, tags = '', more: object = {}) =>
  rig.start(
    'threeDSecureOrder',
    `order-${code}`,
    threeDSecureOrder(code, tags === '' ? 'Two tickets' : `Two tickets sandbox:${tags}`, more),
  );
const statusIs = (status: string) => (state: OrderState) => state.status === status;
const attentionIs = (attention: string | null) => (state: OrderState) => state.attention === attention;
const made = (code: string) => rig.sandbox.ledger(code).orders;
const command = (handle: WorkflowHandle, name: string, message: object = {}) =>
  handle.executeUpdate<OrderState, [object]>(name, { args: [message] });
const complete = (handle: WorkflowHandle, message: object = completion()) =>
  command(handle, 'completeThreeDSecure', message);
const open = async (code: string, tags = '', more: object = {}) => {
  const handle = await start(code, tags, more);
  await rig.until(handle, statusIs('awaiting_authentication'), '1 second');
  return handle;
};

describe('a 3D Secure order that goes well', () => {
  test('gives tokens to the browser, is completed with a card once, and settles', async () => {
    const code = freshCode();
    const handle = await open(code);
    const tokens = await Promise.all(
      [1, 2, 3].map(() =>
        handle.executeUpdate<{ token: string }, [object]>('issueThreeDSecureToken', { args: [{}] }),
      ),
    );
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
    const taken = await complete(handle, completion({ by: 'shop' }));
    expect(taken).toMatchObject({ status: 'submitting', attention: null });
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    rig.sandbox.setOrderStatus(code, 'paid');
    await rig.until(handle, statusIs('paid'));
    rig.sandbox.setOrderStatus(code, 'compensated');
    const result = await rig.result<OrderState>(handle, '10 days');
    expect(result).toMatchObject({ status: 'compensated', closed: true, attention: null });
    expect(made(code)).toMatchObject([{ kind: '3ds', times_created: 1, times_submitted: 1 }]);
    for (const { token } of tokens) expect(JSON.stringify(result)).not.toContain(token);
  });

  test('says until when it can be completed, and what the service answered', async () => {
    const code = freshCode();
    const handle = await open(code);
    const { authentication, updated_at: at } = await handle.query<OrderState>('state');
    expect(Date.parse(authentication?.until ?? '') - Date.parse(at)).toBe(30 * 60_000);
    expect(authentication?.answer).toMatchObject({ id: made(code)[0]?.id });
  });

  test.for(['completion-status-absent', 'completion-nested', 'completion-204', 'completion-id-integer'])(
    'works with the answer %s as if it were usual',
    async (tag) => {
      const code = freshCode();
      const handle = await open(code, tag);
      await complete(handle);
      await rig.until(handle, statusIs('waiting_payment'));
      expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test.for(['completion-401', 'completion-429'])('sends the same card again after %s', async (tag) => {
    const code = freshCode();
    const handle = await open(code, tag);
    await complete(handle);
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('works when the service answers the creation without a status', async () => {
    const code = freshCode();
    const handle = await open(code, 'status-absent');
    await complete(handle);
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
  });
});

describe('the time of a 3D Secure order', () => {
  test('ends after half an hour as expired, by a read that worked', async () => {
    const handle = await open(freshCode());
    await rig.env.sleep('29 minutes');
    expect(await handle.query('state')).toMatchObject({ status: 'awaiting_authentication' });
    const expired = await rig.until(handle, statusIs('expired'), '1 minute', 3);
    expect(expired).toMatchObject({ attention: null, closed: false });
    expect(await complete(handle).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await command(handle, 'issueThreeDSecureToken').catch(refusalOf)).toBe(
      'NotAwaitingAuthentication',
    );
    expect(await rig.result<OrderState>(handle, '10 days')).toMatchObject({ status: 'expired' });
  });

  test('does not end while no read works: a person is called', async () => {
    const code = freshCode();
    const handle = await open(code);
    await rig.env.sleep('20 minutes');
    rig.sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 60,
      fault: { effect: 'none', status: 503 },
    });
    const unread = await rig.until(handle, attentionIs('overdue'), '1 minute', 30);
    expect(unread.status).toBe('awaiting_authentication');
    rig.sandbox.clearFaults();
    await rig.until(handle, statusIs('expired'), '5 minutes');
  });

  test('ends for a completion that could not be sent, and nothing is charged', async () => {
    const code = freshCode();
    const handle = await open(code, 'completion-429-always');
    await complete(handle);
    await rig.until(handle, statusIs('expired'), '1 minute', 60);
    expect(made(code)).toMatchObject([{ times_submitted: 0 }]);
  });

  test('is over for an order that is paid after it: a person is called', async () => {
    const code = freshCode();
    const handle = await open(code);
    await rig.until(handle, statusIs('expired'), '5 minutes');
    rig.sandbox.setOrderStatus(code, 'paid');
    expect(await rig.until(handle, statusIs('paid'), '1 day')).toMatchObject({
      attention: 'inconsistent_answer',
    });
  });
});

describe('a card of a 3D Secure order', () => {
  test('that is lost is asked for, and the order is completed again within its time', async () => {
    const code = freshCode();
    const handle = await open(code);
    await complete(handle, completion({ card: lostCard() }));
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    expect(await handle.query('state')).toMatchObject({ attention: 'awaiting_card' });
    expect(await complete(handle)).toMatchObject({ status: 'submitting', attention: null });
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that is lost can be given again alone', async () => {
    const code = freshCode();
    const handle = await open(code);
    await complete(handle, completion({ card: lostCard() }));
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    await command(handle, 'provideCard', card());
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that is lost and never given again lets the order expire', async () => {
    const handle = await open(freshCode());
    await complete(handle, completion({ card: lostCard() }));
    await rig.until(handle, statusIs('awaiting_card'), '1 second');
    expect(await rig.until(handle, statusIs('expired'), '1 minute', 40)).toMatchObject({ attention: null });
  });

  test('is not taken without credentials, nor twice', async () => {
    const code = freshCode();
    const handle = await open(code);
    expect(await complete(handle, { card: card() }).catch(refusalOf)).toBe('InvalidMessage');
    expect(await complete(handle, completion({ card: {} })).catch(refusalOf)).toBe('InvalidMessage');
    const answers = await Promise.all([complete(handle).catch(refusalOf), complete(handle).catch(refusalOf)]);
    expect(answers).toContain('NotAwaitingAuthentication');
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });
});

describe('a completion of unknown fate', () => {
  const inDoubt = async (code: string, tag = 'completion-accepted-then-dropped') => {
    const handle = await open(code, tag);
    await complete(handle);
    await rig.until(handle, attentionIs('submission_unknown'), '1 second');
    return handle;
  };

  test.for([
    'completion-accepted-then-dropped',
    'completion-500-after',
    'completion-html',
    'completion-307-after',
  ])('by %s is never sent again, does not expire, and a read shows what became of it', async (tag) => {
    const code = freshCode();
    const handle = await inDoubt(code, tag);
    expect(await complete(handle).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    await rig.env.sleep('1 hour');
    expect(await handle.query('state')).toMatchObject({ status: 'submission_unknown' });
    rig.sandbox.setOrderStatus(code, 'paid');
    expect(await rig.until(handle, statusIs('paid'), '5 minutes')).toMatchObject({ attention: null });
    expect(await command(handle, 'resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
      'NotUnknown',
    );
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that a person finds to have done nothing is open again for its time', async () => {
    const code = freshCode();
    const handle = await inDoubt(code, 'completion-dropped-before');
    const resolved = await command(handle, 'resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await complete(handle);
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that a person finds to have done nothing expires when its time is over', async () => {
    const handle = await inDoubt(freshCode(), 'completion-dropped-before');
    await rig.env.sleep('1 hour');
    await command(handle, 'resolveSubmission', { nothing_happened: true });
    await rig.until(handle, statusIs('expired'), '1 minute', 5);
    expect(await rig.result<OrderState>(handle, '10 days')).toMatchObject({ status: 'expired' });
  });

  test('that a person finds to be taken is followed on', async () => {
    const code = freshCode();
    const handle = await inDoubt(code);
    const wrong = command(handle, 'resolveSubmission', { service_id: '12' }).catch(refusalOf);
    expect(await wrong).toBe('InvalidMessage');
    const resolved = await command(handle, 'resolveSubmission', { service_id: made(code)[0]?.id });
    expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null });
  });
});

describe('a completion that the service refuses', () => {
  test('shows its words and can be made again, once a fresh read shows that it did nothing', async () => {
    const code = freshCode();
    const handle = await open(code, 'completion-422-text');
    await complete(handle);
    const refused = await rig.until<OrderState>(handle, ({ refusal }) => refusal !== null, '1 second');
    expect(refused.status).toBe('awaiting_authentication');
    await complete(handle);
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('is not made again when the fresh read shows that the order has moved', async () => {
    const code = freshCode();
    const handle = await open(code, 'completion-422-text');
    await complete(handle);
    await rig.until<OrderState>(handle, ({ refusal }) => refusal !== null, '1 second');
    rig.sandbox.setOrderStatus(code, 'paid');
    expect(await complete(handle).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await handle.query('state')).toMatchObject({ status: 'paid', attention: null });
  });
});

describe('a 3D Secure order that is not opened', () => {
  test('because the service refuses it is rejected', async () => {
    const result = await rig.result<OrderState>(await start(freshCode(), '422'));
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
  });

  test('because its fate is unknown waits for a person, and then for the customer', async () => {
    const code = freshCode();
    const handle = await start(code, 'accepted-then-dropped');
    await rig.until(handle, statusIs('submission_unknown'), '1 second');
    expect(await complete(handle).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    const resolved = await command(handle, 'resolveSubmission', { service_id: made(code)[0]?.id });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await complete(handle);
    await rig.until(handle, statusIs('waiting_payment'), '1 second');
    expect(made(code)).toHaveLength(1);
  });

  test('because its input holds a card is refused and never repeats it', async () => {
    const code = freshCode();
    const result = await rig.result<OrderState>(await start(code, '', { credit_card: testCard }));
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain(testCard.number);
  });

  test('a cancel request after it was opened is noted and changes nothing', async () => {
    const code = freshCode();
    const handle = await open(code);
    await handle.cancel();
    await rig.until<OrderState>(handle, ({ timeline }) =>
      timeline.some(({ what }) => what.includes('cancel request')),
    );
    const { token } = await handle.executeUpdate<{ token: string }, [object]>('issueThreeDSecureToken', {
      args: [{}],
    });
    expect(token).not.toBe('');
  });
});
