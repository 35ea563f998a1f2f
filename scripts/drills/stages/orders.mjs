import { card, checkout, order } from '../requests.mjs';
import { asksForFinding, statusIs, waitsToBeSent } from './shown.mjs';

const reason = 'drill';
/** How long orders wait, of the usual times: those that go by themselves, and those that stay open for a person. */
const quick = 0.02;
const patient = 10;

const cardOrders = {
  lifecycle: 'card_order',
  endpoint: 'POST /v1/order',
  open: async (mover, code, poll_scale = quick, lost = undefined) =>
    mover.payments.startCardOrder({
      ...order(code),
      card: lost ?? (await mover.storedCard()),
      poll_scale,
    }),
  pay: (mover, code) => cardGiven(mover, cardOrders, code),
};

const checkouts = {
  lifecycle: 'hosted_checkout',
  endpoint: 'POST /v1/checkout',
  open: (mover, code, poll_scale = quick) =>
    mover.payments.startHostedCheckout({ ...checkout(code), poll_scale }),
  pay: async (mover, code) => {
    await mover.reaches('hosted_checkout', code, 'waiting_payment');
    mover.sandbox.payCheckout(code);
  },
};

const secureOrders = {
  lifecycle: 'three_d_secure_order',
  endpoint: 'POST /v1/3ds/order',
  completion: 'PUT /v1/3ds/order/{id}',
  open: (mover, code, poll_scale = 1) =>
    mover.payments.startThreeDSecureOrder({ ...order(code), poll_scale }),
  pay: async (mover, code) => {
    await authenticated(mover, code);
    await cardGiven(mover, secureOrders, code);
  },
};

/** The customer is authenticated by then, and the card goes to the service. */
async function authenticated(mover, code) {
  await mover.reaches('three_d_secure_order', code, 'awaiting_authentication');
  await mover.post(`/v1/orders/${code}/3ds-completion`, {
    ...{ callback: 'authenticated', eci: '05', credit_card: card },
  });
}

/** A card is kept for ten minutes: an order that could not be sent for longer needs another one. */
async function cardGiven(mover, { lifecycle }, code) {
  const { status } = await mover.reaches(lifecycle, code, 'waiting_payment', 'paid', 'awaiting_card');
  if (status !== 'awaiting_card') return;
  await mover.post(`/v1/orders/${code}/card`, { credit_card: card });
  await mover.reaches(lifecycle, code, 'waiting_payment', 'paid');
}

async function settled(mover, kind, code) {
  await mover.set('orders', code, 'compensated');
  await mover.reaches(kind.lifecycle, code, 'compensated');
}

async function paidAndSettled(mover, kind, code) {
  await kind.pay(mover, code);
  await settled(mover, kind, code);
}

/** A card order that is settled. */
export async function settledOrder(mover, code) {
  await cardOrders.open(mover, code);
  await paidAndSettled(mover, cardOrders, code);
}

/** The stages that every order has. */
function stagesOf(kind) {
  const { endpoint, lifecycle, open, pay } = kind;
  const begun = { lifecycle, end: 'compensated', finish: (mover, code) => paidAndSettled(mover, kind, code) };
  const opened = async (mover, code) => {
    await open(mover, code);
    await pay(mover, code);
  };
  return [
    {
      ...{ ...begun, stage: 'submit' },
      open: async (mover, code) => {
        mover.holdBack(endpoint, code);
        await open(mover, code, 1);
      },
      shows: waitsToBeSent,
    },
    {
      ...{ ...begun, stage: 'resolve' },
      open: async (mover, code) => {
        mover.failOnce(endpoint, code, 'done');
        await open(mover, code);
      },
      shows: statusIs('submission_unknown'),
      finish: async (mover, code) => {
        const service_id = mover.idOf('orders', code);
        await mover.post(`/v1/orders/${code}/resolve`, { service_id, reason });
        await paidAndSettled(mover, kind, code);
      },
    },
    {
      ...{ ...begun, stage: 'find' },
      open: async (mover, code) => {
        mover.holdBack('GET /v1/order/{id}', code);
        await opened(mover, code);
      },
      shows: asksForFinding,
      finish: (mover, code) => settled(mover, kind, code),
    },
    {
      ...{ ...begun, stage: 'follow' },
      open: async (mover, code) => {
        await opened(mover, code);
        await mover.set('orders', code, 'paid');
      },
      shows: statusIs('paid'),
      finish: (mover, code) => settled(mover, kind, code),
    },
    {
      ...{ ...begun, stage: 'watch' },
      open: async (mover, code) => {
        await opened(mover, code);
        await settled(mover, kind, code);
      },
      shows: statusIs('compensated'),
      finish: undefined,
    },
  ];
}

const secure = { lifecycle: 'three_d_secure_order', end: 'compensated' };

const threeDSecureStages = [
  {
    ...{ ...secure, stage: 'authenticate' },
    open: (mover, code) => secureOrders.open(mover, code, patient),
    shows: statusIs('awaiting_authentication'),
    finish: (mover, code) => paidAndSettled(mover, secureOrders, code),
  },
  {
    ...{ ...secure, stage: 'complete' },
    open: async (mover, code) => {
      mover.holdBack(secureOrders.completion, code);
      await secureOrders.open(mover, code);
      await authenticated(mover, code);
    },
    shows: waitsToBeSent,
    finish: cardGivenAndSettled,
  },
  {
    ...{ ...secure, stage: 'await_card' },
    open: async (mover, code) => {
      await secureOrders.open(mover, code, patient);
      await mover.reaches('three_d_secure_order', code, 'awaiting_authentication');
      const completion = { callback: 'authenticated', eci: '05', card: mover.lostCard() };
      await mover.payments.order(code).completeThreeDSecure({ ...completion, by: reason });
    },
    shows: statusIs('awaiting_card'),
    finish: cardGivenAndSettled,
  },
  {
    ...{ ...secure, stage: 'resolve_completion' },
    open: async (mover, code) => {
      mover.failOnce(secureOrders.completion, code, 'done');
      await secureOrders.open(mover, code, patient);
      await authenticated(mover, code);
    },
    shows: asksForFinding,
    finish: async (mover, code) => {
      const service_id = mover.idOf('orders', code);
      await mover.post(`/v1/orders/${code}/resolve`, { service_id, reason });
      await settled(mover, secureOrders, code);
    },
  },
];

async function cardGivenAndSettled(mover, code) {
  await cardGiven(mover, secureOrders, code);
  await settled(mover, secureOrders, code);
}

export const orderStages = [
  ...[cardOrders, checkouts, secureOrders].flatMap(stagesOf),
  {
    ...{ lifecycle: 'card_order', stage: 'await_card', end: 'compensated' },
    open: (mover, code) => cardOrders.open(mover, code, patient, mover.lostCard()),
    shows: statusIs('awaiting_card'),
    finish: (mover, code) => paidAndSettled(mover, cardOrders, code),
  },
  ...threeDSecureStages,
];
