import { describe, expect, onTestFinished } from 'vitest';
import { Lingerers } from '../../activities/shared/lingerers.js';
import { recordedAs } from '../support/keep-histories.js';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { everyStage, type Shown } from '../support/lifecycles/stages.js';
import type { threeDSecureOrdersOn } from '../support/lifecycles/three-d-secure-orders.js';
import { attentionIs, statusIs, timelineShows, type Clock, type Payment } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

// Rules are shown without Temporal. Here each kind lives once on it, and each stage leaves a history, by which newer
// code is judged.

/** Creating calls linger in one test alone: each would take a second and a half. */
let lingers = false;
class Lingering extends Lingerers {
  override enter() {
    return lingers ? super.enter() : undefined;
  }
}
const test = payments
  .extend('stackOptions', { scope: 'file' }, () => ({ lingerers: new Lingering() }))
  .extend('code', () => freshCode());

type Going = Pick<Payment<Shown>, 'command' | 'postback' | 'result' | 'state' | 'until'> & {
  readonly code: string;
  /** Its identifier at the service, as it is now. */
  readonly id: () => string | undefined;
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly secureOrders: ReturnType<typeof threeDSecureOrdersOn>;
};

const settle = async ({ clock, code, result, sandbox, until }: Going) => {
  sandbox.setOrderStatus(code, 'paid');
  await until(statusIs('paid'));
  await clock.sleep('30 days');
  sandbox.setOrderStatus(code, 'compensated');
  await result('10 days');
};
const resolve = ({ command, id }: Going) => command('resolveSubmission', { service_id: id() });
const giveCard = ({ command, secureOrders }: Going) => command('provideCard', secureOrders.cards.stored());

/** A payment that is in a stage of stages.ts goes on from there to this status, and its history is kept. */
function goesOn(
  from: string,
  history: ReturnType<typeof recordedAs>,
  becomes: string,
  how: (payment: Going) => Promise<unknown>,
): void {
  test(
    `${from} goes on to ${becomes}, and is made once`,
    history,
    async ({ clock, payouts, sandbox, secureOrders, stack }) => {
      const stage = everyStage.find((each) => `${each.lifecycle} ${each.stage}` === from);
      const payment = await stage?.bring(stack);
      if (payment === undefined) throw new Error('There is no such stage.');
      const { partner_code: code } = await payment.state();
      const made = () => {
        const { orders, validations } = sandbox.ledger(code);
        return [...orders, ...payouts.made(code), ...(from.startsWith('payout') ? [] : validations)];
      };
      await how({ ...payment, code, id: () => made()[0]?.id, clock, sandbox, secureOrders });
      const { attention, closed } = await payment.until(statusIs(becomes), '10 minutes');
      expect(attention).toBeNull();
      expect(made()).toMatchObject([{ times_created: 1 }]);
      // Of one that is young, what search shows may wait.
      const { searchAttributes } = await stack.handleOf(payment).describe();
      if (closed) expect(searchAttributes.PaymentServiceId).toEqual([made()[0]?.id]);
      const submitted = becomes === 'expired' ? 0 : 1;
      for (const order of sandbox.ledger(code).orders) expect(order.times_submitted).toBe(submitted);
    },
  );
}

// Whole lives, then stages that these do not come to.
goesOn('payout follow', recordedAs('payout-done-by-reads-alone'), 'done', ({ code, result, sandbox }) => {
  sandbox.setPayoutStatus(code, 'done');
  return result();
});
goesOn('cardOrder follow', recordedAs('card-order-settled-by-reads-alone'), 'compensated', settle);
goesOn('hostedCheckout follow', recordedAs('hosted-checkout-paid'), 'compensated', (payment) => {
  payment.sandbox.payCheckout(payment.code);
  return settle(payment);
});
goesOn('refund confirm', recordedAs('refund-by-reads-alone'), 'refunded', ({ code, result, sandbox }) => {
  sandbox.setOrderStatus(code, 'refunded');
  return result('1 hour');
});
goesOn(
  'accountValidation await',
  recordedAs('account-validation-answered-by-postback'),
  'answered',
  async ({ clock, code, postback, result }) => {
    await clock.sleep('2 days');
    await postback({ status: 'valid', partner_code: code });
    await result('1 second');
  },
);
// In 48 hours, and closed in a new run.
goesOn(
  'hostedCheckout follow',
  recordedAs('hosted-checkout-expired'),
  'expired',
  async ({ clock, result, until }) => {
    const openedAt = await clock.now();
    const { updated_at: at } = await until(statusIs('expired'), '1 hour', 60);
    expect(Math.round((Date.parse(at) - openedAt) / 3_600_000)).toBe(48);
    await result('10 days');
  },
);
goesOn(
  'threeDSecureOrder authenticate',
  recordedAs('three-d-secure-completed'),
  'compensated',
  async (payment) => {
    const { command, secureOrders, until } = payment;
    const issueToken = () => command<{ token: string }>('issueThreeDSecureToken');
    const tokens = await Promise.all([1, 2, 3].map(issueToken));
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
    await command('completeThreeDSecure', secureOrders.completion({ by: 'shop' }));
    await until(statusIs('waiting_payment'), '1 second');
    expect(await issueToken().catch(refusalOf)).toBe('NotAwaitingAuthentication');
    await settle(payment);
    for (const { token } of tokens) expect(JSON.stringify(await payment.state())).not.toContain(token);
  },
);
goesOn('payout validate', recordedAs('payout-account-validated-first'), 'claimed', ({ code, postback }) =>
  postback({ status: 'valid', partner_code: code }),
);
goesOn('payout resolve', recordedAs('payout-never-found'), 'claimed', async ({ command }) => {
  await command('resolveSubmission', { nothing_happened: true });
  const retried = await command('retryPayout', { corrections: { pix: 'maria.silva@example.com' } });
  expect(retried).toMatchObject({ awaiting: 'the outcome of the step under way' });
});
goesOn('payout decide_unread', recordedAs('payout-moved-to-another-identifier'), 'done', async (payment) => {
  payment.sandbox.movePayout(payment.code);
  await resolve(payment);
  payment.sandbox.setPayoutStatus(payment.code, 'done');
  await payment.result();
});
goesOn(
  'payout decide',
  recordedAs('payout-abandoned-then-done'),
  'done',
  async ({ code, command, sandbox, until }) => {
    await command('abandonPayout');
    sandbox.setPayoutStatus(code, 'done');
    await until(attentionIs('inconsistent_answer'), '1 day');
    await command('acknowledgeAttention');
  },
);
goesOn('cardOrder find', recordedAs('card-order-found-by-an-operator'), 'paid', async (payment) => {
  payment.sandbox.clearFaults();
  await resolve(payment);
  payment.sandbox.setOrderStatus(payment.code, 'paid');
});
goesOn('cardOrder await_card', recordedAs('card-order-with-a-second-card'), 'waiting_payment', giveCard);
goesOn(
  'threeDSecureOrder await_card',
  recordedAs('three-d-secure-with-a-second-card'),
  'waiting_payment',
  giveCard,
);
goesOn(
  'hostedCheckout resolve',
  recordedAs('hosted-checkout-resolved-by-an-operator'),
  'paid',
  async (payment) => {
    await resolve(payment);
    payment.sandbox.payCheckout(payment.code);
    payment.sandbox.setOrderStatus(payment.code, 'paid');
  },
);
goesOn(
  'threeDSecureOrder resolve',
  recordedAs('three-d-secure-resolved-by-an-operator'),
  'waiting_payment',
  async (payment) => {
    await resolve(payment);
    await payment.command('completeThreeDSecure', payment.secureOrders.completion());
  },
);
goesOn(
  'threeDSecureOrder resolve_completion',
  recordedAs('three-d-secure-completion-resolved-by-an-operator'),
  'waiting_payment',
  resolve,
);
goesOn('refund watch', recordedAs('refund-resolved-by-an-operator'), 'resolved', ({ result }) =>
  result('10 days'),
);
goesOn('refund acknowledge', recordedAs('refund-acknowledged'), 'refunded', async ({ command, result }) => {
  // The server that skips time forgets the answer to an Update that ends its workflow.
  await command('acknowledgeAttention').catch(() => undefined);
  await result('1 second');
});

describe('a payout', () => {
  test(
    'that is final within a moment is read by its creating call',
    recordedAs('payout-done-at-once'),
    async ({ code, payouts, sandbox }) => {
      lingers = true;
      onTestFinished(() => void (lingers = false));
      const payout = await payouts.start(code);
      await sandbox.until(() => payouts.made(code).length > 0);
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'), '1 second');
      expect(done.last_read).toMatchObject({ cause: 'creation', status: 'done' });
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test('that is waited for answers five callers, and refuses the sixth', async ({
    code,
    payouts,
    sandbox,
  }) => {
    const payout = await payouts.shownAs(code);
    const wait = () =>
      payout.command('awaitStatus', { statuses: ['done'], timeout_seconds: 30 }).catch(refusalOf);
    const waits = Array.from({ length: 6 }, wait);
    expect(await Promise.race(waits)).toBe('TooManyWaiting');
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    const answers = await Promise.all(waits);
    const answered = answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.status]));
    expect(answered).toEqual(Array.from({ length: 5 }, () => 'done'));
  });
});

describe('a payout that fails', () => {
  // Kept, since a Signal is checked again in each replay.
  test(
    'is retried by a Signal with texts as long as they may be, after one that is ignored',
    recordedAs('payout-retried-by-signal'),
    async ({ code, payouts, sandbox, stack }) => {
      const payout = await payouts.failed(code);
      const handle = stack.handleOf(payout);
      await handle.signal('retryPayout', { by: 'ana', reason: 'the bank\nwas down' });
      await handle.signal('retryPayout', { by: 'a'.repeat(128), reason: 'The bank was down. '.repeat(26) });
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await payout.result();
      expect(timelineShows('reason must not have control or format characters')(done)).toBe(true);
      expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
    },
  );

  test(
    'and turns done before the retry is not paid again; the history says why in plain words',
    recordedAs('payout-done-before-its-retry'),
    async ({ code, payouts, sandbox, stack }) => {
      const payout = await payouts.failed(code);
      sandbox.setPayoutStatus(code, 'done');
      expect(await payout.command('retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
      const { events } = await stack.handleOf(payout).fetchHistory();
      const failures = (events ?? []).flatMap(
        ({ workflowExecutionUpdateCompletedEventAttributes: completed }) => completed?.outcome?.failure ?? [],
      );
      const message = 'A fresh read shows that a previous attempt did not fail: done. Nothing was sent.';
      expect(failures).toMatchObject([{ message, stackTrace: '', encodedAttributes: null }]);
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );
});
