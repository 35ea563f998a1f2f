import type { Plan } from '../plan.js';
import { after, asked, becomes, net, postback, reset, resetWithoutMessages, shows, step } from './plan.js';

/** The smallest plans of payouts that broke an invariant once, named by what holds since. */
export const payoutsBefore: Readonly<Record<string, Partial<Plan>>> = {
  'an attempt that a read shows moving is not paid again because the list still shows it failed': {
    calls: ['refused_before'],
    lives: [[becomes('error', 2)]],
    lags: { of: 'list', by: 9 },
    happenings: [asked(0, 'retry_named'), after(10, shows('processing')), after(7, 'retry_named')],
  },
  'a payout that was found in the list offers no resolution once it is watched': { calls: ['late_effect'] },
  'a payout that the list holds under another amount is no longer about to be sent': {
    scanAlways: true,
    shape: net,
    happenings: [asked(0, 'hint'), after(0, reset(15))],
  },
  'a refused payout without a watch waits for the list, and does not ask without end': {
    watchDays: 0,
    validated: true,
    outages: [{ from: 0, lasts: 16, of: 'list' }],
  },
  'after a reset the attempts that the fresh run knows nothing of are looked for': {
    lives: [[becomes('error', 0), becomes('done', 9)]],
    happenings: [after(8, 'retry'), asked(8, reset(65)), after(7, reset(43))],
  },
  'a payout that a proof has found at the service is read from then on': {
    lives: [[becomes('done', 6)]],
    outages: [{ from: 0, lasts: 3, of: 'sends' }],
    happenings: [after(6, reset(8))],
  },
  'a payout that can not be sent for a month is tried again, in as many steps as its days allow': {
    outages: [{ from: 0, lasts: 20, of: 'sends' }],
  },
  'what could not be noticed while the list could not be read is noticed within days after that': {
    reconciled: true,
    lives: [[becomes('done', 0), becomes('claimed', 4)]],
    outages: [{ from: 0, lasts: 16, of: 'list' }],
    happenings: [step(2, 'retry'), after(6, 'retry')],
  },
  'a payout without a watch that is abandoned is read before it closes': {
    watchDays: 0,
    sendBefore: 1,
    lives: [[becomes('error', 0)]],
    happenings: [asked(0, shows('claimed')), after(6, 'abandon')],
  },
  'after a reset an attempt that the list shows late is looked for daily, though the payout was abandoned': {
    lives: [[becomes('error', 0)]],
    listing: 'late',
    happenings: [asked(0, 'retry'), after(2, reset(15)), asked(0, 'abandon')],
  },
  'a payout without a watch that an operator settles is read once more before it closes': {
    seed: 1697902988,
    watchDays: 0,
    calls: ['none', 'unauthorized', 'throttled', 'none'],
    lives: [[becomes('error', 0), becomes('done', 6)]],
    listing: 'late',
    happenings: [
      asked(0, 'retry'),
      after(7, reset(59)),
      asked(0, shows('claimed')),
      asked(7, 'resolve_as_nothing'),
    ],
  },
  'an attempt that the list shows after a reset, with another value, goes on being looked for': {
    scanAlways: true,
    calls: ['none', 'refused_before'],
    shape: { showsCode: false, netValue: true, otherListId: false },
    happenings: [asked(0, 'retry'), step(3, resetWithoutMessages(15)), asked(0, 'acknowledge')],
  },
  'an attempt that is withdrawn after a reset is found, though the list shows late that it had been sent': {
    calls: ['worker_died_after'],
    lives: [[becomes('error', 0)]],
    listing: 'late',
    happenings: [asked(0, 'retry'), after(6, reset(0)), asked(0, 'retry'), after(0, 'cancel')],
  },
  'a payout without a watch does not close before each of its attempts was read': {
    seed: 507899884,
    watchDays: 0,
    sendBefore: 5,
    calls: ['throttled'],
    lives: [
      [becomes('claimed', 3), becomes('error', 2), becomes('done', 9)],
      [becomes('claimed', 9), becomes('done', 0)],
    ],
    flakyOneIn: 3,
    continuesOneIn: 3,
    happenings: [after(0, postback('it')), asked(0, 'retry'), step(6, 'cancel')],
  },
  'an attempt of which an operator said that it paid nobody, and that has failed, needs no further read': {
    watchDays: 0,
    lives: [[becomes('error', 0)]],
    listing: 'late',
    outages: [{ from: 0, lasts: 8, of: 'reads' }],
    happenings: [after(2, 'resolve_as_nothing'), after(0, 'abandon')],
  },
  'in a reset run an abandonment looks for all attempts anew, for one may have come about since the last scan':
    {
      seed: 807848542,
      lives: [[becomes('error', 4)]],
      flakyOneIn: 3,
      happenings: [
        after(5, 'retry'),
        step(4, 'retry'),
        asked(2, reset(34)),
        asked(7, postback('it')),
        asked(0, 'abandon'),
        step(1, 'retry'),
      ],
    },
  'an attempt of which an operator said that it paid nobody is followed once a read shows that it moves': {
    listing: 'never',
    happenings: [step(2, 'resolve_as_nothing'), asked(6, 'retry')],
  },
  'an attempt of which an operator said that it paid nobody is followed although its payout was abandoned': {
    watchDays: 0,
    lives: [[becomes('claimed', 7), becomes('claimed', 8), becomes('done', 0)]],
    listing: 'late',
    outages: [{ from: 0, lasts: 8, of: 'reads' }],
    happenings: [after(2, 'resolve_as_nothing'), after(0, 'abandon')],
  },
  'in a reset run an attempt is not called unsent because a previous one moves': {
    seed: 1036683962,
    scanAlways: true,
    calls: ['none', 'throttled', 'throttled', 'none'],
    lives: [[becomes('error', 5)]],
    listing: 'late',
    happenings: [
      asked(0, 'retry'),
      step(4, shows('processing')),
      after(5, 'retry'),
      step(2, resetWithoutMessages(52)),
    ],
  },
  'an amount that does not fit is acknowledged as it was read, whatever the service held for a moment': {
    reconciled: true,
    calls: ['status_absent'],
    lives: [[becomes('done', 0), becomes('done', 6)]],
    shape: net,
    happenings: [asked(5, shows('claimed')), after(1, 'acknowledge')],
  },
  'two attempts that the service has answered with one identifier are both looked for': {
    reconciled: true,
    calls: ['id_other', 'id_other'],
    happenings: [asked(0, shows('error')), step(1, postback('it')), after(2, 'retry')],
  },
  'what a refused command has been shown under the code of an attempt is not said to have come to nothing': {
    calls: ['throttled'],
    listing: 'late',
    shape: { showsCode: true, netValue: false, otherListId: false },
    outages: [{ from: 6, lasts: 9, of: 'list' }],
    continuesOneIn: 20,
    happenings: [
      after(7, resetWithoutMessages(0)),
      asked(0, 'resolve_truly'),
      asked(0, 'resolve_as_nothing'),
    ],
  },
};
