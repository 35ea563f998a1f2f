import {
  afterwards,
  always,
  done,
  life,
  none,
  refused,
  shaped,
  type Life,
  type RefundFate,
  type Scenario,
} from './scenario.js';

/** What happens without a tag. */
export const usual: { order: Life; payout: Life; validation: Life; refund: RefundFate } = {
  order: life('waiting_payment', [2_000, 'paid'], [6_000, 'compensated']),
  payout: life('claimed', [1_000, 'processing'], [3_000, 'done']),
  validation: life('processing', [1_000, 'valid']),
  refund: { afterMs: 3_000, status: 'refunded' },
};

export const listedLateMs = 30_000;

const lives = {
  denied: { means: 'The card is denied.', order: life('waiting_payment', [2_000, 'denied']) },
  'denied-at-once': { means: 'The card is denied in the answer itself.', order: life('denied') },
  'denied-then-paid': {
    means: 'Denied, and paid after all.',
    order: life('waiting_payment', [2_000, 'denied'], [6_000, 'paid'], [10_000, 'compensated']),
  },
  chargeback: {
    means: 'Settled, then charged back.',
    order: life('waiting_payment', [2_000, 'paid'], [6_000, 'compensated'], [10_000, 'chargeback']),
  },
  'never-settles': {
    means: 'Paid, and never compensated.',
    order: life('waiting_payment', [2_000, 'paid']),
  },
  error: {
    means: 'Ends as `error`.',
    order: life('waiting_payment', [2_000, 'error']),
    payout: life('claimed', [1_000, 'processing'], [3_000, 'error']),
  },
  'error-at-once': { means: 'Answers `error` at once.', order: life('error'), payout: life('error') },
  'error-once': {
    means: 'Ends as `error`, unless the partner_code ends in `-r` and digits (a retry).',
    payout: life('claimed', [1_000, 'processing'], [3_000, 'error']),
    firstAttemptOnly: true,
  },
  'error-then-done': {
    means: 'Shows `error`, and is done later all the same.',
    payout: life('claimed', [1_000, 'processing'], [3_000, 'error'], [8_000, 'done']),
  },
  'done-then-error': {
    means: 'Done, and returned later: `error` after `done`.',
    payout: life('claimed', [1_000, 'processing'], [3_000, 'done'], [8_000, 'error']),
  },
  'done-at-once': {
    means: 'Paid, or done, in the answer itself.',
    order: life('paid', [6_000, 'compensated']),
    payout: life('done'),
  },
  'done-directly': {
    means: 'Done after 3 s, without `processing` before: one postback.',
    payout: life('claimed', [3_000, 'done']),
  },
  'odd-status': {
    means: 'Stays 10 s in a status that no document names, `under_review`, then goes on.',
    order: life('waiting_payment', [1_000, 'under_review'], [11_000, 'paid'], [15_000, 'compensated']),
    payout: life('claimed', [1_000, 'under_review'], [11_000, 'done']),
  },
  stuck: {
    means: 'Never leaves its first status by itself.',
    order: life('waiting_payment'),
    payout: life('claimed'),
    validation: life('processing'),
  },
  invalid: { means: 'The account is not valid.', validation: life('processing', [1_000, 'invalid']) },
  'checkout-paid': {
    means: 'The customer pays the hosted checkout without anyone clicking.',
    paysByItself: true,
  },
  'refund-slow': { means: 'The refund takes 30 s.', refund: { afterMs: 30_000, status: 'refunded' } },
  'refund-never': { means: 'The refund is queued and never happens.', refund: { afterMs: 0 } },
  'refund-failed': {
    means: 'The refund fails: the order shows `refund_failed`.',
    refund: { afterMs: 3_000, status: 'refund_failed' },
  },
  'refund-visible': {
    means: 'GET shows `refund_processing` meanwhile.',
    refund: { afterMs: 3_000, status: 'refunded', visible: true },
  },
  unlisted: { means: 'The payout never appears in GET /v1/payouts.', listing: 'never' },
  'listed-late': { means: 'The payout appears in GET /v1/payouts after 30 s.', listing: 'late' },
} as const satisfies Record<string, Scenario>;

const postbacks = {
  'postback-late': { means: 'Each postback comes 20 s late.', postbacks: 'late' },
  'postback-silent': { means: 'No postback ever comes.', postbacks: 'silent' },
  'postback-duplicated': { means: 'Each postback comes three times.', postbacks: 'duplicated' },
  'postback-reordered': { means: 'Postbacks come in swapped pairs: 2, 1, 4, 3.', postbacks: 'reordered' },
  'postback-early': { means: 'A first postback comes before the answer to the POST.', postbacks: 'early' },
  'postback-lying': {
    means: 'Postbacks report `error` when it is not so, `done` when it is.',
    postbacks: 'lying',
  },
} as const satisfies Record<string, Scenario>;

const hourMs = 3_600_000;
const page = '<!doctype html><html><body><h1>Service unavailable</h1></body></html>';
const html = { 'content-type': 'text/html; charset=utf-8' };

const disturbances = {
  'accepted-then-dropped': done('The work is done; the connection is cut before any answer.', { drop: true }),
  'dropped-before': none('The connection is cut; nothing is done.', { drop: true }),
  slow: done('The work is done at once, the answer comes after 5 s.', { delay_ms: 5_000 }),
  hang: done('The work is done at once, the answer does not come within an hour.', { delay_ms: hourMs }),
  'hang-before': none('Nothing is done, and no answer comes within an hour.', {
    delay_ms: hourMs,
    status: 504,
  }),
  'late-effect': {
    means: 'The work is done only after 40 s, whether or not the caller still waits.',
    fault: { effect: 'late', delay_ms: 40_000 },
  },
  truncated: done('The work is done; the answer breaks off half-way.', { truncate: true }),
  html: done('The work is done; 200 with an HTML page.', { body: page, headers: html }),
  empty: done('The work is done; 200 with an empty body.', { body: '' }),
  '307': none('307 to another path; nothing is done.', {
    status: 307,
    headers: { location: '/sandbox/elsewhere' },
    body: '',
  }),
  '307-after': done('307 to another path, after the work.', {
    status: 307,
    headers: { location: '/sandbox/elsewhere' },
    body: '',
  }),
  '400': refused(400),
  '401': refused(401),
  '403': refused(403),
  '404': refused(404),
  '405': refused(405),
  '408': refused(408),
  '409': refused(409),
  '413': refused(413),
  '415': refused(415),
  '422': refused(422),
  '429': none('429 with `Retry-After: 1`; nothing is done.', {
    status: 429,
    headers: { 'retry-after': '1' },
  }),
  '500': refused(500),
  '501': refused(501),
  '502': refused(502),
  '503': refused(503),
  '504': refused(504),
  '400-after': afterwards(400),
  '401-after': afterwards(401),
  '403-after': afterwards(403),
  '403-html-after': done('403 with an HTML page, as of a firewall, after the work.', {
    status: 403,
    body: page,
    headers: html,
  }),
  '404-after': afterwards(404),
  '408-after': afterwards(408),
  '409-after': afterwards(409),
  '422-after': afterwards(422),
  '422-taken-after': done('422 with words that the partner_code has already been taken, after the work.', {
    status: 422,
    body: { error: 'partner_code has already been taken' },
  }),
  '429-after': done('429 with `Retry-After: 1`, after the work.', {
    status: 429,
    body: { error: { code: 'sandbox', message: 'After the work.' } },
    headers: { 'retry-after': '1' },
  }),
  '500-after': afterwards(500),
  '501-after': afterwards(501),
  '502-after': afterwards(502),
  '503-after': afterwards(503),
  '504-after': afterwards(504),
  '422-html': none('422 with an HTML page; nothing is done.', { status: 422, body: page, headers: html }),
  '422-empty': none('422 with an empty body; nothing is done.', { status: 422, body: '' }),
  '422-text': none('422 with a plain text; nothing is done.', { status: 422, body: 'no' }),
  '422-list': none('422 with a JSON list; nothing is done.', { status: 422, body: ['value is too high'] }),
  '422-errors': none('422 with a map of fields; nothing is done.', {
    status: 422,
    body: { errors: { value: ['too high'] } },
  }),
  '500-html': none('500 with an HTML page; nothing is done.', { status: 500, body: page, headers: html }),
  '500-empty': none('500 with an empty body; nothing is done.', { status: 500, body: '' }),
} as const satisfies Record<string, Scenario>;

const shapes = {
  '200': always('Answers 200.', { status: 200 }),
  '201': always('Answers 201.', { status: 201 }),
  '202': always('Answers 202.', { status: 202 }),
  '204': always('Answers 204, without a body.', { status: 204, body: '' }),
  'id-integer': shaped('The id is an integer.', 'id-integer'),
  'id-absent': shaped('There is no id.', 'id-absent'),
  'id-unsafe': shaped('The id is an integer that JavaScript cannot hold exactly.', 'id-unsafe'),
  'id-other': shaped('The id is another one.', 'id-other'),
  nested: shaped('The answer is nested: `{"payout":{"id":…}}`, `{"order":{…}}`.', 'nested'),
  'status-absent': shaped('There is no status.', 'status-absent'),
  'status-unknown': shaped('The status is `under_review`, whatever it really is.', 'status-unknown'),
  'status-upper': shaped('The status is in capitals.', 'status-upper'),
  'value-other': shaped('The value is another one.', 'value-other'),
  'extra-fields': shaped('There are fields that no document names.', 'extra-fields'),
  'with-partner-code': shaped('The answer carries the partner_code as well.', 'with-partner-code'),
} as const satisfies Record<string, Scenario>;

export const scenarioGroups = { lives, postbacks, disturbances, shapes } as const;

/** Every tag and what it does. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map<string, Scenario>(
  Object.values(scenarioGroups).flatMap((group) => Object.entries(group)),
);

/** Numbers that stand for a tag where a text has no room for one: test cards and bank accounts. */
export const magicNumbers: ReadonlyMap<string, string> = new Map([
  ['4000000000001000', 'denied'],
  ['4000000000002008', 'denied-at-once'],
  ['4000000000003006', 'chargeback'],
  ['4000000000004004', 'error'],
  ['4000000000005001', 'never-settles'],
  ['90000001', 'error'],
  ['90000002', 'error-once'],
  ['90000003', 'done-then-error'],
  ['90000004', 'error-then-done'],
  ['90000005', 'invalid'],
]);
