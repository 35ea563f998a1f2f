import type { Plan } from '../plan.js';
import { net, plan } from './plan.js';

/** The smallest plans of orders and refunds that broke an invariant once, named by what holds since. */
export const ordersAndRefundsBefore: Readonly<Record<string, Plan>> = {
  'after a reset to its refusal a refund is not requested again unless the service holds none': plan(
    'refund',
    {
      calls: ['refused_before'],
      lags: { of: 'reads', by: 14 },
      happenings: [
        { when: { asked: 0 }, what: { do: 'retry_refund' } },
        { when: { after: 7 }, what: { do: 'reset', to: 20 } },
        { when: { after: 5 }, what: { do: 'retry_refund' } },
        { when: { after: 5 }, what: { do: 'retry_refund' } },
      ],
    },
  ),
  'an order without a watch that needs an operator goes on being read, at its times': plan(
    'hosted_checkout',
    {
      seed: 3,
      watchDays: 0,
      shape: net,
    },
  ),
  'a refund that waits for an acknowledgement announces no read': plan('refund', {
    happenings: [{ when: { asked: 0 }, what: { do: 'resolve_refund' } }],
  }),
  'the read at the end of a watch is made again at its times while the service can not be read': plan(
    'card_order',
    {
      seed: 178035621,
      watchDays: 1,
      lives: [
        [
          { after: 15, status: 'paid' },
          { after: 0, status: 'chargeback' },
        ],
      ],
      outages: [{ from: 16, lasts: 8, of: 'reads' }],
      happenings: [
        { when: { asked: 0 }, what: { do: 'postback', names: 'it' } },
        { when: { asked: 2 }, what: { do: 'status', status: 'compensated' } },
      ],
    },
  ),
  'an order that shows another amount asks again when its status has changed since': plan('hosted_checkout', {
    sendBefore: 0,
    shape: net,
    happenings: [
      { when: { after: 2 }, what: { do: 'resolve_truly' } },
      { when: { step: 2 }, what: { do: 'acknowledge' } },
      { when: { step: 1 }, what: { do: 'resolve_truly' } },
      { when: { asked: 0 }, what: { do: 'acknowledge' } },
    ],
  }),
  'a completion is not offered while the service shows a status that nobody knows': plan(
    'three_d_secure_order',
    {
      happenings: [{ when: { step: 2 }, what: { do: 'status', status: 'under_review' } }],
    },
  ),
  'a 3D Secure order that awaits a card past its time is read at its times': plan('three_d_secure_order', {
    sendBefore: 0,
    calls: ['none', 'never_started'],
    shape: net,
    happenings: [{ when: { asked: 0 }, what: { do: 'complete' } }],
  }),
  'an order that expired is read at the end of its week, also without a watch': plan('three_d_secure_order', {
    watchDays: 0,
    lives: [
      [
        { after: 17, status: 'paid' },
        { after: 0, status: 'compensated' },
      ],
    ],
    happenings: [
      { when: { after: 2 }, what: { do: 'complete' } },
      { when: { after: 0 }, what: { do: 'reset', to: 34 } },
      { when: { after: 1 }, what: { do: 'resolve_as_nothing' } },
    ],
  }),
  'a completion of which the service shows nothing, and an operator says that it did nothing, may be followed':
    plan('three_d_secure_order', {
      calls: ['none', 'worker_died_after'],
      lives: [
        [
          { after: 7, status: 'paid' },
          { after: 0, status: 'compensated' },
        ],
      ],
      happenings: [
        { when: { step: 2 }, what: { do: 'complete' } },
        { when: { asked: 0 }, what: { do: 'resolve_as_nothing' } },
        { when: { after: 5 }, what: { do: 'complete' } },
      ],
    }),
  'an acknowledgement that comes in again by a reset is one of what the service shows by then': plan(
    'card_order',
    {
      seed: 551934833,
      shape: net,
      happenings: [
        { when: { asked: 10 }, what: { do: 'acknowledge' } },
        { when: { step: 2 }, what: { do: 'provide_card' } },
        { when: { after: 0 }, what: { do: 'reset', to: 52 } },
        { when: { asked: 2 }, what: { do: 'provide_card' } },
        { when: { asked: 10 }, what: { do: 'reset', to: 72 } },
        { when: { asked: 0 }, what: { do: 'reset', to: 54 } },
      ],
    },
  ),
  'a 3D Secure order is not completed again by a run that continues a reset one': plan(
    'three_d_secure_order',
    {
      seed: 772275205,
      calls: ['none', 'never_started', 'none'],
      lives: [[{ after: 0, status: 'compensated' }]],
      flakyOneIn: 3,
      continuesOneIn: 2,
      happenings: [
        { when: { after: 4 }, what: { do: 'complete' } },
        { when: { asked: 0 }, what: { do: 'provide_card' } },
        { when: { after: 5 }, what: { do: 'reset', to: 0, dropsMessages: true } },
        { when: { after: 0 }, what: { do: 'acknowledge' } },
        { when: { after: 2 }, what: { do: 'provide_card' } },
        { when: { step: 3 }, what: { do: 'complete' } },
      ],
    },
  ),
  'a 3D Secure order that reads as unpaid again is not completed again by a run that continues a reset one':
    plan('three_d_secure_order', {
      seed: 1003307571,
      calls: ['none', 'never_started', 'none'],
      lives: [[{ after: 0, status: 'under_review' }]],
      flakyOneIn: 10,
      continuesOneIn: 3,
      happenings: [
        { when: { after: 4 }, what: { do: 'complete' } },
        { when: { asked: 0 }, what: { do: 'provide_card' } },
        { when: { after: 6 }, what: { do: 'reset', to: 0, dropsMessages: true } },
        { when: { after: 0 }, what: { do: 'acknowledge' } },
        { when: { after: 4 }, what: { do: 'provide_card' } },
        { when: { step: 1 }, what: { do: 'cancel' } },
        { when: { asked: 0 }, what: { do: 'status', status: 'waiting_payment' } },
        { when: { after: 3 }, what: { do: 'complete' } },
      ],
    }),
};
