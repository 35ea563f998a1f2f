import fc from 'fast-check';
import { chancesOf, resetTo } from './plan.js';
import type { CallFault, Happening, OperatorAction, Plan, SimulatedKind } from './plan.js';

/** What chance alone seldom brings together, and what is dangerous: it takes the place of what chance has planned. */
type Sequence = fc.Arbitrary<Partial<Plan>>;

const delayUpTo = (max: number) => fc.nat({ max });
const someOf = (...faults: CallFault[]) =>
  fc.array(fc.constantFrom(...faults), { minLength: 1, maxLength: 4 });
const withoutEffect = fc.constantFrom<CallFault>('throttled', 'throttled', 'not_sent', 'unauthorized');

const happens = (
  when: fc.Arbitrary<Happening['when']>,
  what: fc.Arbitrary<Happening['what']>,
): fc.Arbitrary<Happening> => fc.record({ when, what });
/** One thing after the other. */
const inTurn = (...all: fc.Arbitrary<Happening>[]) => fc.tuple(...all);
const after = (max: number, min = 0) => fc.record({ after: fc.integer({ min, max }) });
const soon = fc.record({ step: fc.integer({ min: 1, max: 6 }) });
const asked = fc.record({ asked: delayUpTo(4) });
const does = (...actions: (OperatorAction | 'hint' | 'restore')[]) =>
  fc.constantFrom(...actions.map((action): Happening['what'] => ({ do: action })));
const shows = (...statuses: string[]) =>
  fc.constantFrom(...statuses.map((status): Happening['what'] => ({ do: 'status', status })));

const resetWithoutMessages = resetTo(60).map((reset) => ({ ...reset, dropsMessages: true }));

/** The first record fails within a minute. */
const failsFirst = fc
  .record({ after: delayUpTo(5), status: fc.constant('error') })
  .map((failure) => [[failure]]);

/** A status code says that nothing was done, of what the service has done. */
const answeredAfterTheEffect: Sequence = fc.record({
  validated: fc.constant(false),
  listing: fc.constant('at_once'),
  calls: someOf('throttled_after', 'unauthorized_after', 'refused_after', 'throttled'),
});

/** As before, and the payout comes into a list that takes long to read. */
const comesIntoASlowList: Sequence = fc.record({
  validated: fc.constant(false),
  listing: fc.constantFrom('at_once', 'late'),
  slowList: fc.constant(true),
  calls: someOf('throttled_after', 'throttled'),
});

/** An attempt that has failed moves after all, while the next one waits to be sent. */
const movesWhileTheNextWaits: Sequence = fc.record({
  outages: fc.constant([]),
  validated: fc.constant(false),
  calls: fc
    .array(withoutEffect, { minLength: 2, maxLength: 5 })
    .map((waits): CallFault[] => ['none', ...waits, 'none']),
  lives: failsFirst,
  happenings: inTurn(happens(asked, does('retry')), happens(soon, shows('done', 'processing'))),
});

/** A reset takes a retry back, and an operator acts upon what the state shows then. */
const resetTakesARetryBack: Sequence = fc.record({
  lives: failsFirst,
  happenings: inTurn(
    happens(asked, does('retry')),
    happens(after(9, 6), resetTo(60)),
    happens(fc.oneof(asked, soon), does('abandon', 'retry', 'cancel')),
  ),
});

/** A reset to before the send, and the fresh run that continues it. */
const resetTakesTheSendBack: Sequence = fc.record({
  listing: fc.constantFrom('late', 'never', 'at_once'),
  flakyOneIn: fc.constant(3),
  continuesOneIn: fc.constant(3),
  calls: fc.array(withoutEffect, { maxLength: 2 }),
  happenings: inTurn(happens(after(8), resetTo(60))),
});

/** An operator acts at once upon what a reset run shows, which knows nothing of the attempt that was taken back. */
const actsBeforeTheResetRunReads: Sequence = fc.record({
  calls: fc.constant([]),
  listing: fc.constantFrom('at_once', 'late'),
  outages: fc.constant([]),
  lives: failsFirst,
  happenings: inTurn(
    happens(asked, does('retry')),
    happens(after(9, 7), resetWithoutMessages),
    happens(asked, does('abandon', 'retry')),
  ),
});

/** An order is cancelled while a run waits to send that knows nothing of the send which a reset has taken back. */
const cancelledAfterAReset: Sequence = fc.record({
  outages: fc.constant([]),
  calls: fc.array(withoutEffect, { minLength: 1, maxLength: 2 }),
  happenings: inTurn(happens(after(8, 5), resetWithoutMessages), happens(soon, does('cancel'))),
});

/**
 * A reset to the wait before the request that was sent, while the list can't be read: the reset run puts it off, and a
 * fresh run continues it.
 */
const resetRunPutsTheSendOff: Sequence = fc.record({
  listing: fc.constantFrom('late', 'never'),
  scanAlways: fc.constant(false),
  validated: fc.constant(false),
  sendBefore: fc.constant(null),
  flakyOneIn: fc.constant(0),
  continuesOneIn: fc.constantFrom(3, 20),
  calls: fc.array(withoutEffect, { minLength: 1, maxLength: 2 }),
  outages: fc.integer({ min: 9, max: 12 }).map((lasts) => [{ from: 6, lasts, of: 'list' as const }]),
  happenings: inTurn(happens(after(8, 7), resetTo(60))),
});

/** The same of a refund, whose call reads by itself: no worker takes the reset run's in time, and it waits for its turn. */
const resetRunWaitsForItsTurn: Sequence = fc.record({
  outages: fc.constant([]),
  flakyOneIn: fc.constant(0),
  continuesOneIn: fc.constant(3),
  calls: fc.constant<CallFault[]>(['none', 'never_started']),
  happenings: inTurn(happens(after(7, 4), resetTo(60))),
});

/** What an operator asked for after the payout had failed comes in again while the reset run waits to send it. */
const commandsComeInAgain: Sequence = fc.record({
  calls: fc.array(withoutEffect, { minLength: 1, maxLength: 2 }),
  outages: fc.constant([]),
  lives: failsFirst,
  happenings: inTurn(
    happens(asked, does('abandon', 'retry')),
    happens(after(9, 5), fc.record({ do: fc.constant('reset'), to: fc.nat({ max: 60 }) })),
  ),
});

/** The list shows an attempt that a reset has taken back only after the reset run has looked for it. */
const actsOnAnOlderScan: Sequence = fc.record({
  calls: fc.constant([]),
  listing: fc.constant('late'),
  outages: fc.constant([]),
  lives: failsFirst,
  happenings: inTurn(
    happens(asked, does('retry')),
    happens(after(7, 6), resetWithoutMessages),
    happens(after(4), does('hint')),
    happens(after(10, 9), does('abandon', 'retry')),
  ),
});

/** A previous attempt moves after all, and a reset takes back the send of the next one. */
const movesBeforeAReset: Sequence = fc.record({
  calls: fc
    .array(withoutEffect, { minLength: 1, maxLength: 2 })
    .map((waits): CallFault[] => ['none', ...waits, 'none']),
  listing: fc.constantFrom('late', 'never'),
  outages: fc.constant([]),
  flakyOneIn: fc.constant(0),
  validated: fc.constant(false),
  lives: fc
    .record({ after: fc.integer({ min: 6, max: 7 }), status: fc.constantFrom('processing', 'done') })
    .map((moves) => [[{ after: 0, status: 'error' }, moves]]),
  happenings: inTurn(happens(asked, does('retry')), happens(after(8, 7), resetTo(80))),
});

/** By the runbook, each send is preceded by a scan; what the list holds may not be what was asked for. */
const restored: Sequence = fc.record({
  scanAlways: fc.constant(true),
  listing: fc.constant('at_once'),
  outages: fc.constant([]),
  flakyOneIn: fc.constant(0),
  shape: fc.record({ showsCode: fc.boolean(), netValue: fc.boolean(), otherListId: fc.constant(false) }),
  happenings: inTurn(
    happens(after(13, 9), does('restore')),
    happens(fc.oneof(asked, soon), does('abandon', 'cancel', 'retry')),
  ),
});

/** The order changes while its refund waits to be requested. */
const changesWhileItWaits: Sequence = fc.record({
  outages: fc.constant([]),
  calls: fc.array(withoutEffect, { minLength: 1, maxLength: 5 }),
  happenings: inTurn(happens(soon, shows('chargeback', 'refund_processing', 'refunded'))),
});

const completes: Happening = { when: { after: 4 }, what: { do: 'complete' } };

/** A card comes for an order of which a reset has taken the completion back, and that a fresh run continues. */
const cardComesAfterAReset: Sequence = fc.record({
  outages: fc.constant([]),
  sendBefore: fc.constant(null),
  continuesOneIn: fc.constantFrom(2, 3),
  calls: fc.constantFrom<CallFault[]>(['never_started', 'none'], ['none', 'never_started', 'none']),
  happenings: fc
    .tuple(
      happens(asked, does('provide_card')),
      happens(after(6, 5), resetWithoutMessages),
      happens(after(3), does('acknowledge', 'hint')),
      happens(after(4), does('provide_card')),
    )
    .map((all) => [completes, ...all]),
});

const sequencesOf: Record<SimulatedKind, readonly Sequence[]> = {
  payout: [
    answeredAfterTheEffect,
    comesIntoASlowList,
    movesWhileTheNextWaits,
    resetTakesARetryBack,
    resetTakesTheSendBack,
    restored,
    actsBeforeTheResetRunReads,
    actsOnAnOlderScan,
    movesBeforeAReset,
    commandsComeInAgain,
    resetRunPutsTheSendOff,
  ],
  refund: [resetTakesTheSendBack, changesWhileItWaits, resetRunWaitsForItsTurn],
  card_order: [resetTakesTheSendBack, cancelledAfterAReset],
  hosted_checkout: [resetTakesTheSendBack],
  three_d_secure_order: [resetTakesTheSendBack, cardComesAfterAReset],
  account_validation: [resetTakesTheSendBack],
};

/** Plans of one lifecycle: by chance, and with a dangerous sequence in each third one, before what chance has happen. */
export function plansOf(kind: SimulatedKind): fc.Arbitrary<Plan> {
  const sequence = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Partial<Plan>>({}) },
    { weight: 1, arbitrary: fc.oneof(...sequencesOf[kind]) },
  );
  return fc.tuple(chancesOf(kind), sequence).map(([chance, planned]) => ({
    ...chance,
    ...planned,
    happenings: [...(planned.happenings ?? []), ...chance.happenings],
  }));
}
