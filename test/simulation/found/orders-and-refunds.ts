import type { Plan } from '../plan.js';
import { after, asked, becomes, net, postback, reset, resetWithoutMessages, shows, step } from './plan.js';

/** The smallest plans of orders and refunds that broke an invariant once, named by what holds since. */
export const ordersAndRefundsBefore: Readonly<Record<string, Partial<Plan> & Pick<Plan, 'kind'>>> = {
  'after a reset to its refusal a refund is not requested again unless the service holds none': {
    kind: 'refund',
    calls: ['refused_before'],
    lags: { of: 'reads', by: 14 },
    happenings: [
      asked(0, 'retry_refund'),
      after(7, reset(20)),
      after(5, 'retry_refund'),
      after(5, 'retry_refund'),
    ],
  },
  'an order without a watch that needs an operator goes on being read, at its times': {
    kind: 'hosted_checkout',
    seed: 3,
    watchDays: 0,
    shape: net,
  },
  'a refund that waits for an acknowledgement announces no read': {
    kind: 'refund',
    happenings: [asked(0, 'resolve_refund')],
  },
  'the read at the end of a watch is made again at its times while the service can not be read': {
    kind: 'card_order',
    seed: 178035621,
    watchDays: 1,
    lives: [[becomes('paid', 15), becomes('chargeback', 0)]],
    outages: [{ from: 16, lasts: 8, of: 'reads' }],
    happenings: [asked(0, postback('it')), asked(2, shows('compensated'))],
  },
  'an order that shows another amount asks again when its status has changed since': {
    kind: 'hosted_checkout',
    sendBefore: 0,
    shape: net,
    happenings: [
      after(2, 'resolve_truly'),
      step(2, 'acknowledge'),
      step(1, 'resolve_truly'),
      asked(0, 'acknowledge'),
    ],
  },
  'a completion is not offered while the service shows a status that nobody knows': {
    kind: 'three_d_secure_order',
    happenings: [step(2, shows('under_review'))],
  },
  'a 3D Secure order that awaits a card past its time is read at its times': {
    kind: 'three_d_secure_order',
    sendBefore: 0,
    calls: ['none', 'never_started'],
    shape: net,
    happenings: [asked(0, 'complete')],
  },
  'an order that expired is read at the end of its week, also without a watch': {
    kind: 'three_d_secure_order',
    watchDays: 0,
    lives: [[becomes('paid', 17), becomes('compensated', 0)]],
    happenings: [after(2, 'complete'), after(0, reset(34)), after(1, 'resolve_as_nothing')],
  },
  'a completion of which the service shows nothing, and an operator says that it did nothing, may be followed':
    {
      kind: 'three_d_secure_order',
      calls: ['none', 'worker_died_after'],
      lives: [[becomes('paid', 7), becomes('compensated', 0)]],
      happenings: [step(2, 'complete'), asked(0, 'resolve_as_nothing'), after(5, 'complete')],
    },
  'an acknowledgement that comes in again by a reset is one of what the service shows by then': {
    kind: 'card_order',
    seed: 551934833,
    shape: net,
    happenings: [
      asked(10, 'acknowledge'),
      step(2, 'provide_card'),
      after(0, reset(52)),
      asked(2, 'provide_card'),
      asked(10, reset(72)),
      asked(0, reset(54)),
    ],
  },
  'a 3D Secure order is not completed again by a run that continues a reset one': {
    kind: 'three_d_secure_order',
    seed: 772275205,
    calls: ['none', 'never_started', 'none'],
    lives: [[becomes('compensated', 0)]],
    flakyOneIn: 3,
    continuesOneIn: 2,
    happenings: [
      after(4, 'complete'),
      asked(0, 'provide_card'),
      after(5, resetWithoutMessages(0)),
      after(0, 'acknowledge'),
      after(2, 'provide_card'),
      step(3, 'complete'),
    ],
  },
  'a 3D Secure order that reads as unpaid again is not completed again by a run that continues a reset one': {
    kind: 'three_d_secure_order',
    seed: 1003307571,
    calls: ['none', 'never_started', 'none'],
    lives: [[becomes('under_review', 0)]],
    flakyOneIn: 10,
    continuesOneIn: 3,
    happenings: [
      after(4, 'complete'),
      asked(0, 'provide_card'),
      after(6, resetWithoutMessages(0)),
      after(0, 'acknowledge'),
      after(4, 'provide_card'),
      step(1, 'cancel'),
      asked(0, shows('waiting_payment')),
      after(3, 'complete'),
    ],
  },
};
