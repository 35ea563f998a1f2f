import { Buffer } from 'node:buffer';
// What each route of the gateway is measured with. A new route needs a line in `cases`.
const pan = '4111111111111111';
const bodyBytes = 64 * 1_024;
const batchBytes = 16 * 1_024 * 1_024;
const codecBytes = 8 * 1_024 * 1_024;

/** A key that only this bench knows. */
export const key = 'bench-key-0123456789abcdef';

const cases = {
  nothing: /^GET \/(docs|openapi\.json|healthz|readyz|metrics|schemas)(\/(json|yaml|static\/.*|:name))?$/,
  list: /^GET \/v1\/(orders|payouts)$/,
  changes: /^GET \/v1\/changes$/,
  notifications: /^GET \/v1\/notifications$/,
  code: /^GET \/v1\/(orders|payouts|payout-batches|bulk-retries|account-validations|webhook-resends)\/:\w+(\/(refund|report))?$/,
  postback: /^POST \/postbacks\/:capability$/,
  codec: /^POST \/codec\/(en|de)code$/,
  batch: /^POST \/v1\/payout-batches$/,
  bulk: /^POST \/v1\/bulk-retries$/,
  body: new RegExp(
    '^POST /v1/(cards|account-validations|orders/(card|checkout|3ds)|payouts/(pix|transfer)' +
      '|orders/:partner_code/(card|resolve|acknowledge|3ds-token|3ds-completion|refund(/(retry|resolve|acknowledge))?)' +
      '|payouts/:partner_code/(retry|abandon|resolve|acknowledge)' +
      '|bulk-retries/:bulk_retry_id/(pause|resume|stop)|webhook-resends|webhooks/ping)$',
  ),
};

/** Which kind of input a route takes; undefined when nobody has said so yet. */
export function caseOf(route) {
  return Object.keys(cases).find((name) => cases[name].test(route));
}

export function bodiesOf(name) {
  return bodies[name];
}

const long = (unit, bytes = bodyBytes) => unit.repeat(Math.floor((bytes - 1_024) / Buffer.byteLength(unit)));
const named = (name, content, more = {}) => ({ name, content: Buffer.from(content), ...more });
const json = (name, value) => named(name, JSON.stringify(value));

const payout = {
  ...{ partner_code: 'bench', value: 1.5, pix: 'ana@example.com', first_name: 'Ana', last_name: 'Lima' },
  document: '52998224725',
};
const fields = (count, field) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, field]));
const strange = ['1 ', '４', '%31', '<', '4-', 'a@', '\u200b', '{"a":', '\\u0031'].map((unit) => {
  const text = long(unit, bodyBytes / 4);
  return json(`a text of ${JSON.stringify(unit)}`, {
    ...payout,
    first_name: text,
    reason: text,
    webhook: text,
    customer: { note: text },
  });
});
const inputs = [
  ...strange,
  named('deep arrays', long('[')),
  named('deep objects', long('{"a":')),
  named('closed deep arrays', long('[', bodyBytes / 2) + long(']', bodyBytes / 2)),
  json('many fields', { ...payout, customer: fields(5_000, 1), risk: fields(1_000, '1') }),
  json('many cards', { ...payout, customer: fields(2_000, pan) }),
  json(
    'many numbers',
    Array.from({ length: 10_000 }, (_, i) => i),
  ),
  json('a valid payout', payout),
];
const rows = (row, count = 10_000) => Array.from({ length: count }, (_, i) => row(i));
const pixRow = (i) => ({ method: 'pix', ...payout, partner_code: `bench-${i}` });
const csv = (name, content) => named(name, content, { type: 'text/csv', path: '?batch_id=bench' });

const bodies = {
  nothing: [named('itself', '')],
  list: [
    named('a long filter', '', { path: `?status=${long('%31', 15_000)}` }),
    named('a long cursor', '', { path: `?cursor=${long('A', 15_000)}` }),
    named('as it is', ''),
  ],
  changes: [
    named('a long moment', '', { path: `?since=${long('1', 15_000)}` }),
    named('a moment', '', { path: '?since=2026-05-01T00:00:00Z' }),
  ],
  notifications: [
    named('a long workflow_id', '', { path: `?workflow_id=payout-${long('%31', 15_000)}` }),
    named('as it is', '', { path: '?workflow_id=payout-bench' }),
  ],
  code: [
    named('a long code', '', { path: long('%31', 15_000) }),
    named('a long header', '', { headers: { prefer: long('wait=1,', 15_000) } }),
    named('as it is', ''),
  ],
  postback: [
    ...inputs,
    named('a long capability', '{}', { path: long('A', 15_000) }),
    named('64 KiB of text', long('x'), { type: 'text/plain' }),
  ],
  body: inputs,
  bulk: [
    ...inputs,
    json('many partner_codes', {
      ...{ bulk_retry_id: 'bench', reason: 'bench' },
      filter: { partner_codes: Array.from({ length: 5_000 }, (_, i) => `bench-${i}`) },
    }),
    json('many causes', {
      ...{ bulk_retry_id: 'bench', reason: 'bench' },
      filter: { cause: Array.from({ length: 8_000 }, () => 'none') },
    }),
  ],
  codec: [
    json('one payload', {
      payloads: [{ metadata: {}, data: Buffer.alloc(codecBytes * 0.74).toString('base64') }],
    }),
    json('1,000 payloads', {
      payloads: Array.from({ length: 1_000 }, () => ({
        metadata: { encoding: Buffer.from('binary/encrypted').toString('base64') },
        data: Buffer.alloc(6_000, 1).toString('base64'),
      })),
    }),
    named('empty payloads', `{"payloads":[${long('{},', codecBytes)}{}]}`),
    named('a long metadata', `{"payloads":[{"metadata":{${long('"a":"","b":"",', codecBytes)}"c":""}}]}`),
    named('deep arrays', long('[', codecBytes)),
  ],
  batch: [
    json('10,000 payouts', { batch_id: 'bench', payouts: rows(pixRow) }),
    json('10,000 wide payouts', {
      batch_id: 'bench',
      payouts: rows((i) => ({ ...pixRow(i), ...fields(100, 1) })),
    }),
    named('16 MB of rows', `{"batch_id":"bench","payouts":[${long('1,', batchBytes)}1]}`),
    named('16 MB in one text', `{"batch_id":"bench","payouts":["${long('1 ', batchBytes)}"]}`),
    named('deep arrays', `{"payouts":${long('[', batchBytes)}`),
    csv('a CSV of one-letter rows', long('a\n', batchBytes)),
    csv('a CSV of one row', long('a,', batchBytes)),
    csv('a CSV of one field', `method\n"${long('1 ', batchBytes)}`),
    csv(
      'a CSV of 10,000 payouts',
      [Object.keys(pixRow(0)).join(','), ...rows((i) => Object.values(pixRow(i)).join(','))].join('\n'),
    ),
    named('JSON lines of 1', long('1\n', batchBytes), { type: 'application/jsonl', path: '?batch_id=bench' }),
  ],
};
