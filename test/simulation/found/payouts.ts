import type { Plan } from '../plan.js';
import { net, plan } from './plan.js';

/** The smallest plans of payouts that broke an invariant once, named by what holds since. */
export const payoutsBefore: Readonly<Record<string, Plan>> = {
  'an attempt that a read shows moving is not paid again because the list still shows it failed': plan(
    'payout',
    {
      calls: ['refused_before'],
      lives: [[{ after: 2, status: 'error' }]],
      lags: { of: 'list', by: 9 },
      happenings: [
        { when: { asked: 0 }, what: { do: 'retry_named' } },
        { when: { after: 10 }, what: { do: 'status', status: 'processing' } },
        { when: { after: 7 }, what: { do: 'retry_named' } },
      ],
    },
  ),
  'a payout that was found in the list offers no resolution once it is watched': plan('payout', {
    calls: ['late_effect'],
  }),
  'a payout that the list holds under another amount is no longer about to be sent': plan('payout', {
    scanAlways: true,
    shape: net,
    happenings: [
      { when: { asked: 0 }, what: { do: 'hint' } },
      { when: { after: 0 }, what: { do: 'reset', to: 15 } },
    ],
  }),
  'a refused payout without a watch waits for the list, and does not ask without end': plan('payout', {
    watchDays: 0,
    validated: true,
    outages: [{ from: 0, lasts: 16, of: 'list' }],
  }),
  'after a reset the attempts that the fresh run knows nothing of are looked for': plan('payout', {
    lives: [
      [
        { after: 0, status: 'error' },
        { after: 9, status: 'done' },
      ],
    ],
    happenings: [
      { when: { after: 8 }, what: { do: 'retry' } },
      { when: { asked: 8 }, what: { do: 'reset', to: 65 } },
      { when: { after: 7 }, what: { do: 'reset', to: 43 } },
    ],
  }),
  'a payout that a proof has found at the service is read from then on': plan('payout', {
    lives: [[{ after: 6, status: 'done' }]],
    outages: [{ from: 0, lasts: 3, of: 'sends' }],
    happenings: [{ when: { after: 6 }, what: { do: 'reset', to: 8 } }],
  }),
  'a payout that can not be sent for a month is tried again, in as many steps as its days allow': plan(
    'payout',
    {
      outages: [{ from: 0, lasts: 20, of: 'sends' }],
    },
  ),
  'what could not be noticed while the list could not be read is noticed within days after that': plan(
    'payout',
    {
      reconciled: true,
      lives: [
        [
          { after: 0, status: 'done' },
          { after: 4, status: 'claimed' },
        ],
      ],
      outages: [{ from: 0, lasts: 16, of: 'list' }],
      happenings: [
        { when: { step: 2 }, what: { do: 'retry' } },
        { when: { after: 6 }, what: { do: 'retry' } },
      ],
    },
  ),
  'a payout without a watch that is abandoned is read before it closes': plan('payout', {
    watchDays: 0,
    sendBefore: 1,
    lives: [[{ after: 0, status: 'error' }]],
    happenings: [
      { when: { asked: 0 }, what: { do: 'status', status: 'claimed' } },
      { when: { after: 6 }, what: { do: 'abandon' } },
    ],
  }),
  'after a reset an attempt that the list shows late is looked for daily, though the payout was abandoned':
    plan('payout', {
      lives: [[{ after: 0, status: 'error' }]],
      listing: 'late',
      happenings: [
        { when: { asked: 0 }, what: { do: 'retry' } },
        { when: { after: 2 }, what: { do: 'reset', to: 15 } },
        { when: { asked: 0 }, what: { do: 'abandon' } },
      ],
    }),
  'a payout without a watch that an operator settles is read once more before it closes': plan('payout', {
    seed: 1697902988,
    watchDays: 0,
    calls: ['none', 'unauthorized', 'throttled', 'none'],
    lives: [
      [
        { after: 0, status: 'error' },
        { after: 6, status: 'done' },
      ],
    ],
    listing: 'late',
    happenings: [
      { when: { asked: 0 }, what: { do: 'retry' } },
      { when: { after: 7 }, what: { do: 'reset', to: 59 } },
      { when: { asked: 0 }, what: { do: 'status', status: 'claimed' } },
      { when: { asked: 7 }, what: { do: 'resolve_as_nothing' } },
    ],
  }),
  'an attempt that the list shows after a reset, with another value, goes on being looked for': plan(
    'payout',
    {
      scanAlways: true,
      calls: ['none', 'refused_before'],
      shape: { showsCode: false, netValue: true, otherListId: false },
      happenings: [
        { when: { asked: 0 }, what: { do: 'retry' } },
        { when: { step: 3 }, what: { do: 'reset', to: 15, dropsMessages: true } },
        { when: { asked: 0 }, what: { do: 'acknowledge' } },
      ],
    },
  ),
  'an attempt that is withdrawn after a reset is found, though the list shows late that it had been sent':
    plan('payout', {
      calls: ['worker_died_after'],
      lives: [[{ after: 0, status: 'error' }]],
      listing: 'late',
      happenings: [
        { when: { asked: 0 }, what: { do: 'retry' } },
        { when: { after: 6 }, what: { do: 'reset', to: 0 } },
        { when: { asked: 0 }, what: { do: 'retry' } },
        { when: { after: 0 }, what: { do: 'cancel' } },
      ],
    }),
  'a payout without a watch does not close before each of its attempts was read': plan('payout', {
    seed: 507899884,
    watchDays: 0,
    sendBefore: 5,
    calls: ['throttled'],
    lives: [
      [
        { after: 3, status: 'claimed' },
        { after: 2, status: 'error' },
        { after: 9, status: 'done' },
      ],
      [
        { after: 9, status: 'claimed' },
        { after: 0, status: 'done' },
      ],
    ],
    flakyOneIn: 3,
    continuesOneIn: 3,
    happenings: [
      { when: { after: 0 }, what: { do: 'postback', names: 'it' } },
      { when: { asked: 0 }, what: { do: 'retry' } },
      { when: { step: 6 }, what: { do: 'cancel' } },
    ],
  }),
  'an attempt of which an operator said that it paid nobody, and that has failed, needs no further read':
    plan('payout', {
      watchDays: 0,
      lives: [[{ after: 0, status: 'error' }]],
      listing: 'late',
      outages: [{ from: 0, lasts: 8, of: 'reads' }],
      happenings: [
        { when: { after: 2 }, what: { do: 'resolve_as_nothing' } },
        { when: { after: 0 }, what: { do: 'abandon' } },
      ],
    }),
  'in a reset run an abandonment looks for all attempts anew, for one may have come about since the last scan':
    plan('payout', {
      seed: 807848542,
      lives: [[{ after: 4, status: 'error' }]],
      flakyOneIn: 3,
      happenings: [
        { when: { after: 5 }, what: { do: 'retry' } },
        { when: { step: 4 }, what: { do: 'retry' } },
        { when: { asked: 2 }, what: { do: 'reset', to: 34 } },
        { when: { asked: 7 }, what: { do: 'postback', names: 'it' } },
        { when: { asked: 0 }, what: { do: 'abandon' } },
        { when: { step: 1 }, what: { do: 'retry' } },
      ],
    }),
  'an attempt of which an operator said that it paid nobody is followed once a read shows that it moves':
    plan('payout', {
      listing: 'never',
      happenings: [
        { when: { step: 2 }, what: { do: 'resolve_as_nothing' } },
        { when: { asked: 6 }, what: { do: 'retry' } },
      ],
    }),
  'an attempt of which an operator said that it paid nobody is followed although its payout was abandoned':
    plan('payout', {
      watchDays: 0,
      lives: [
        [
          { after: 7, status: 'claimed' },
          { after: 8, status: 'claimed' },
          { after: 0, status: 'done' },
        ],
      ],
      listing: 'late',
      outages: [{ from: 0, lasts: 8, of: 'reads' }],
      happenings: [
        { when: { after: 2 }, what: { do: 'resolve_as_nothing' } },
        { when: { after: 0 }, what: { do: 'abandon' } },
      ],
    }),
  'in a reset run an attempt is not called unsent because a previous one moves': plan('payout', {
    seed: 1036683962,
    scanAlways: true,
    calls: ['none', 'throttled', 'throttled', 'none'],
    lives: [[{ after: 5, status: 'error' }]],
    listing: 'late',
    happenings: [
      { when: { asked: 0 }, what: { do: 'retry' } },
      { when: { step: 4 }, what: { do: 'status', status: 'processing' } },
      { when: { after: 5 }, what: { do: 'retry' } },
      { when: { step: 2 }, what: { do: 'reset', to: 52, dropsMessages: true } },
    ],
  }),
  'an amount that does not fit is acknowledged as it was read, whatever the service held for a moment': plan(
    'payout',
    {
      reconciled: true,
      calls: ['status_absent'],
      lives: [
        [
          { after: 0, status: 'done' },
          { after: 6, status: 'done' },
        ],
      ],
      shape: net,
      happenings: [
        { when: { asked: 5 }, what: { do: 'status', status: 'claimed' } },
        { when: { after: 1 }, what: { do: 'acknowledge' } },
      ],
    },
  ),
  'two attempts that the service has answered with one identifier are both looked for': plan('payout', {
    reconciled: true,
    calls: ['id_other', 'id_other'],
    happenings: [
      { when: { asked: 0 }, what: { do: 'status', status: 'error' } },
      { when: { step: 1 }, what: { do: 'postback', names: 'it' } },
      { when: { after: 2 }, what: { do: 'retry' } },
    ],
  }),
  'what a refused command has been shown under the code of an attempt is not said to have come to nothing':
    plan('payout', {
      calls: ['throttled'],
      listing: 'late',
      shape: { showsCode: true, netValue: false, otherListId: false },
      outages: [{ from: 6, lasts: 9, of: 'list' }],
      continuesOneIn: 20,
      happenings: [
        { when: { after: 7 }, what: { do: 'reset', to: 0, dropsMessages: true } },
        { when: { asked: 0 }, what: { do: 'resolve_truly' } },
        { when: { asked: 0 }, what: { do: 'resolve_as_nothing' } },
      ],
    }),
};
