import fc from 'fast-check';

/** The lifecycles that are simulated. */
export const kinds = [
  'payout',
  'refund',
  'card_order',
  'hosted_checkout',
  'three_d_secure_order',
  'account_validation',
] as const;
export type SimulatedKind = (typeof kinds)[number];

/**
 * What becomes of one creating call. `…_before`: without effect at the service; `…_after`: with its effect.
 * `redispatched`: an operator had Temporal run the activity again. `worker_died`: no outcome ever comes back, but the mark,
 * unless it died before that (`unmarked`), or what a payout's call had heartbeated as it was `lingering`. `lingered`: it answers with what a read has shown a moment later.
 */
export const callFaults = [
  'none',
  'id_absent',
  'status_absent',
  'id_other',
  'refused_before',
  'refused_after',
  'unauthorized',
  'unauthorized_after',
  'throttled',
  'throttled_after',
  'not_sent',
  'too_late',
  'lost_before',
  'lost_after',
  'late_effect',
  'worker_died_before',
  'worker_died_after',
  'worker_died_lingering',
  'redispatched_before',
  'redispatched_after',
  'never_started',
  'lingered',
  'worker_died_unmarked',
] as const;
export type CallFault = (typeof callFaults)[number];

/** Delays that plans are made of; a plan names them by their place, so that shrinking makes them shorter. */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
export const delaysMs = [
  ...[0, 50, second, 5 * second, 20 * second, minute, 2 * minute, 6 * minute, 20 * minute, 45 * minute],
  ...[hour, 2 * hour, 5 * hour, 12 * hour, day, 2 * day, 4 * day, 7 * day, 10 * day, 15 * day, 30 * day],
] as const;

export type OperatorAction =
  | 'retry'
  | 'retry_named'
  | 'abandon'
  | 'resolve_truly'
  | 'resolve_as_nothing'
  | 'resolve_as_another'
  | 'acknowledge'
  | 'accept_value'
  | 'cancel'
  | 'provide_card'
  | 'complete'
  | 'retry_refund'
  | 'resolve_refund';

/** Something that happens to the payment from outside, some time after the previous one. */
export type Happening = {
  /** When: so long after the previous one, at so many waits and calls, or so long after an operator is asked for. */
  when: { after: number } | { step: number } | { asked: number };
  what:
    | { do: OperatorAction }
    | { do: 'hint' }
    /** The check of identifiers finds that another payment has the identifier of this one. */
    | { do: 'shared' }
    | { do: 'postback'; names: 'it' | 'another' | 'nothing' }
    /** To a step of the present run: a share of all that it has recorded. */
    | { do: 'reset'; to: number; dropsMessages?: boolean }
    /** Temporal is restored from a backup in which the present run had recorded nothing yet. */
    | { do: 'restore' }
    /** The service changes the status of the record that is the latest there. */
    | { do: 'status'; status: string };
};

export type Outage = { from: number; lasts: number; of: 'reads' | 'list' | 'sends' };

/** One whole life of one payment, and all that disturbs it. Plain JSON: a failure is repeated from it. */
export type Plan = {
  kind: SimulatedKind;
  /** Of jitter, latencies and of the choices that a plan leaves open. */
  seed: number;
  watchDays: number | null;
  /** The payout's input: whether the reconciliation covers it, whether its account is validated first, until when. */
  reconciled: boolean;
  validated: boolean;
  sendBefore: number | null;
  scanAlways: boolean;
  /** Of the creating calls in their order; later ones go well. */
  calls: CallFault[];
  /** The statuses of each record that the service creates, and after which delay each comes. */
  lives: { after: number; status: string }[][];
  listing: 'at_once' | 'late' | 'never';
  /** A scan takes up to two minutes, and shows what there was when it began. */
  slowList?: boolean;
  /** What shows each status late, and by which delay. */
  lags?: { of: 'list' | 'reads'; by: number };
  /** How reads and lists differ from what the document shows. */
  shape: { showsCode: boolean; netValue: boolean; otherListId: boolean };
  outages: Outage[];
  /** One read in so many fails by itself; 0 for none. */
  flakyOneIn: number;
  /** One wait in so many continues as new; 0 for none. */
  continuesOneIn: number;
  happenings: Happening[];
};

/** Mostly within an hour: what happens later differs little, and costs a simulation many reads. */
const delay = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 9 }) },
  { weight: 1, arbitrary: fc.nat({ max: delaysMs.length - 1 }) },
);
/** Outages also come late, as at the end of a watch. */
const outageBegins = fc.oneof(
  { weight: 3, arbitrary: delay },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: delaysMs.length - 1 }) },
);
const shortDelay = fc.nat({ max: 12 });

const payoutStatuses = ['claimed', 'processing', 'done', 'error', 'under_review'];
const orderStatuses = [
  'paid',
  'compensated',
  'denied',
  'error',
  'chargeback',
  'waiting_payment',
  'under_review',
];
const statusesOf: Record<SimulatedKind, readonly string[]> = {
  payout: payoutStatuses,
  refund: ['refunded', 'refund_failed', 'refund_processing', 'chargeback', 'paid'],
  card_order: orderStatuses,
  hosted_checkout: orderStatuses,
  three_d_secure_order: orderStatuses,
  account_validation: ['valid', 'invalid', 'processing'],
};

const finalOrderStatuses = ['compensated', 'compensated', 'denied', 'error', 'chargeback'];
const finalStatusesOf: Record<SimulatedKind, readonly string[]> = {
  payout: ['done', 'error'],
  refund: ['refunded', 'refunded', 'refund_failed', 'chargeback'],
  card_order: finalOrderStatuses,
  hosted_checkout: finalOrderStatuses,
  three_d_secure_order: finalOrderStatuses,
  account_validation: ['valid', 'invalid'],
};

const actionsOf: Record<SimulatedKind, readonly OperatorAction[]> = {
  payout: [
    ...(['retry', 'retry_named', 'retry_named', 'abandon', 'resolve_truly'] as const),
    ...(['resolve_as_nothing', 'resolve_as_another', 'acknowledge', 'accept_value', 'cancel'] as const),
  ],
  refund: ['retry_refund', 'retry_refund', 'resolve_refund', 'acknowledge', 'cancel'],
  card_order: [
    'provide_card',
    'resolve_truly',
    'resolve_as_nothing',
    'resolve_as_another',
    'acknowledge',
    'cancel',
  ],
  hosted_checkout: ['resolve_truly', 'resolve_as_nothing', 'resolve_as_another', 'acknowledge', 'cancel'],
  three_d_secure_order: [
    ...(['complete', 'complete', 'complete', 'provide_card', 'resolve_truly', 'resolve_as_nothing'] as const),
    ...(['acknowledge', 'cancel'] as const),
  ],
  account_validation: ['cancel', 'acknowledge'],
};

/** A reset to so much of what was recorded at most. Not every Temporal has what came in since come in again. */
export function resetTo(max: number) {
  const [reset, to] = [fc.constant('reset' as const), fc.nat({ max })];
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: reset, to }) },
    { weight: 1, arbitrary: fc.record({ do: reset, to, dropsMessages: fc.constant(true) }) },
  );
}

function whatOf(kind: SimulatedKind): fc.Arbitrary<Happening['what']> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constantFrom(...actionsOf[kind]) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('hint' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('postback' as const),
        names: fc.constantFrom('it' as const, 'another' as const, 'nothing' as const),
      }),
    },
    { weight: 1, arbitrary: resetTo(100) },
    {
      weight: kind === 'refund' || kind === 'account_validation' ? 0 : 1,
      arbitrary: fc.record({ do: fc.constant('shared' as const) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('status' as const),
        status: fc.constantFrom(...statusesOf[kind]),
      }),
    },
  );
}

const when: fc.Arbitrary<Happening['when']> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ after: delay }) },
  { weight: 2, arbitrary: fc.record({ step: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ asked: shortDelay }) },
);

const oftenNone = (arbitrary: fc.Arbitrary<CallFault>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<CallFault>('none') }, { weight: 3, arbitrary });

/** Plans of one lifecycle by chance alone. */
export function chancesOf(kind: SimulatedKind): fc.Arbitrary<Plan> {
  const step = fc.record({ after: delay, status: fc.constantFrom(...statusesOf[kind]) });
  // Where a life leaves a payment under way for good, it is read for weeks.
  const ends = fc.record({ after: delay, status: fc.constantFrom(...finalStatusesOf[kind]) });
  const life = fc.oneof(
    { weight: 1, arbitrary: fc.array(step, { maxLength: 3 }) },
    {
      weight: 5,
      arbitrary: fc.tuple(fc.array(step, { maxLength: 3 }), ends).map(([steps, end]) => [...steps, end]),
    },
  );
  return fc.record({
    kind: fc.constant(kind),
    seed: fc.nat({ max: 2 ** 31 - 1 }),
    watchDays: fc.constantFrom(null, null, null, 0, 1, 30),
    reconciled: fc.boolean(),
    validated: kind === 'payout' ? fc.constantFrom(false, false, false, true) : fc.constant(false),
    sendBefore: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: delay }),
    scanAlways: fc.constantFrom(false, false, false, true),
    calls: fc.array(oftenNone(fc.constantFrom(...callFaults)), { maxLength: 5 }),
    lives: fc.array(life, { maxLength: 4 }),
    listing: fc.constantFrom('at_once', 'at_once', 'at_once', 'late', 'never'),
    shape: fc.record({
      showsCode: fc.boolean(),
      netValue: fc.constantFrom(false, false, false, false, true),
      otherListId: fc.constantFrom(false, false, false, false, true),
    }),
    outages: fc.array(
      fc.record({ from: outageBegins, lasts: delay, of: fc.constantFrom('reads', 'list', 'sends') }),
      { maxLength: 2 },
    ),
    flakyOneIn: fc.constantFrom(0, 0, 10, 3),
    continuesOneIn: fc.constantFrom(0, 0, 0, 0, 100, 20, 3),
    happenings: fc.array(fc.record({ when, what: whatOf(kind) }), { maxLength: 8 }),
  });
}
