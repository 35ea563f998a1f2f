import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import { lookedAt, type Look } from '../../src/domain/payout-readings.js';
import {
  attempt,
  followed,
  look,
  now,
  payoutOf,
  read,
  refused,
  right,
  shown,
} from '../support/payout-readings.js';

test.for<[string, Attempt[], Partial<Look>, string, (string | null)[]]>([
  ['a failure', [followed(1, 'processing')], { read: [read(1, 'error')] }, 'clear', ['error']],
  [
    'movement that a lagging list does not show yet',
    [refused(1), followed(2, 'error')],
    { read: [read(2, 'processing')], listed: [shown(2, 'error')] },
    'clear',
    ['refused', 'processing'],
  ],
  [
    'a failure, and movement in the list',
    [followed(1, 'error')],
    { read: [read(1, 'error')], listed: [shown(1, 'processing')] },
    'clear',
    ['processing'],
  ],
  [
    'movement of one that an operator had found to have come to nothing',
    [attempt(1, { phase: 'not_paid', serviceId: '71' })],
    { read: [read(1, 'done')] },
    'clear',
    ['done'],
  ],
  [
    'another value',
    [followed(1, 'claimed')],
    { read: [read(1, 'done', { value_centavos: 1 })] },
    'unclear',
    ['claimed'],
  ],
  [
    'another payout',
    [followed(1, 'claimed')],
    { read: [read(1, 'done', { service_id: '9' })] },
    'unclear',
    ['claimed'],
  ],
  ['no status', [followed(1, 'claimed')], { read: [read(1, null)] }, 'unclear', ['claimed']],
  ['nothing', [followed(1, 'claimed')], { missing: [1] }, 'unreadable', ['claimed']],
  [
    'nothing, of one that only the list has ever shown',
    [attempt(1, { phase: 'known', serviceId: '71', status: 'claimed' })],
    { missing: [1], listed: [shown(1, 'done')] },
    'clear',
    ['done'],
  ],
  [
    'a failure, and a list that could not be read',
    [followed(1, 'processing')],
    { read: [read(1, 'error')], listed: undefined },
    'unreadable',
    ['error'],
  ],
  ['one that was refused in the list', [refused(1)], { listed: [shown(1, 'claimed')] }, 'clear', ['claimed']],
  [
    'one without an identifier',
    [refused(1)],
    { listed: [shown(1, 'done', { service_id: null })] },
    'unclear',
    ['refused'],
  ],
  [
    'one without an identifier, of which nothing is known',
    [attempt(1, { phase: 'unknown' })],
    { listed: [shown(1, 'done', { service_id: null })] },
    'unclear',
    ['unknown'],
  ],
  [
    'a failure, and movement in the list beside the failure of another attempt',
    [followed(1, 'error'), followed(2, 'error')],
    { read: [read(1, 'error')], listed: [shown(2, 'error'), shown(1, 'processing')] },
    'clear',
    ['processing', 'error'],
  ],
  [
    'one twice',
    [refused(1)],
    { listed: [shown(1, 'done'), shown(1, 'done', { service_id: '9' })] },
    'unclear',
    ['done'],
  ],
  [
    'one twice, once as failed',
    [refused(1)],
    { listed: [shown(1, 'error'), shown(1, 'done', { service_id: '9' })] },
    'clear',
    ['done'],
  ],
  [
    'a later attempt of which nothing was known',
    [attempt(1, { phase: 'verifying' })],
    { listed: [shown(2, 'claimed')] },
    'clear',
    ['not_paid', 'claimed'],
  ],
  [
    'nothing, and another attempt alone in the list',
    [attempt(1, { phase: 'known', serviceId: '71', status: 'claimed' }), followed(2, 'claimed')],
    { missing: [1], listed: [shown(2, 'done')] },
    'unreadable',
    ['claimed', 'done'],
  ],
  [
    'nothing, of one that the list shows beside another',
    [attempt(1, { phase: 'known', serviceId: '71', status: 'claimed' }), followed(2, 'claimed')],
    { missing: [1], listed: [shown(2, 'done'), shown(1, 'claimed')] },
    'clear',
    ['claimed', 'done'],
  ],
  [
    'nothing, of one that a read has shown before, and the list shows',
    [followed(1, 'claimed')],
    { missing: [1], listed: [shown(1, 'claimed')] },
    'unreadable',
    ['claimed'],
  ],
  [
    'nothing, of one that only the list has ever shown, and no list',
    [attempt(1, { phase: 'known', serviceId: '71', status: 'claimed' })],
    { missing: [1] },
    'unreadable',
    ['claimed'],
  ],
  [
    'movement and a failure of one attempt, by two identifiers',
    [followed(1, 'claimed')],
    { read: [read(1, 'processing'), read(1, 'error')] },
    'unclear',
    ['error'],
  ],
  [
    'each attempt in the list as something else',
    [followed(1, 'processing'), followed(2, 'processing')],
    { listed: [shown(1, 'error'), shown(2, 'done')] },
    'clear',
    ['error', 'done'],
  ],
  [
    'movement, and another attempt as failed in the list',
    [followed(1, 'processing'), followed(2, 'error')],
    { read: [read(2, 'error')], listed: [shown(1, 'processing'), shown(2, 'error')] },
    'clear',
    ['processing', 'error'],
  ],
  [
    'movement without an identifier',
    [followed(1, 'claimed')],
    { read: [read(1, 'done', { service_id: null })] },
    'clear',
    ['done'],
  ],
  [
    'another value under the identifier of one of which nothing is known',
    [attempt(1, { phase: 'unknown', serviceId: '71' })],
    { read: [read(1, 'done', { value_centavos: 1 })] },
    'unclear',
    ['unknown'],
  ],
  [
    'no status under the identifier of one of which nothing is known',
    [attempt(1, { phase: 'unknown', serviceId: '71' })],
    { read: [read(1, null)] },
    'unclear',
    ['unknown'],
  ],
  [
    'another value in the list, of one that was refused',
    [refused(1)],
    { listed: [shown(1, 'done', { value_centavos: 1 })] },
    'unclear',
    ['refused'],
  ],
  [
    'two later attempts of which nothing was known, the last one first',
    [attempt(1, { phase: 'unknown' })],
    { listed: [shown(3, 'claimed'), shown(2, 'error')] },
    'clear',
    ['not_paid', 'error', 'claimed'],
  ],
  [
    'the last of three attempts, the one before being unknown',
    [refused(1), attempt(2, { phase: 'unknown' }), attempt(3, { phase: 'unknown' })],
    { listed: [shown(3, 'claimed')] },
    'clear',
    ['refused', 'not_paid', 'claimed'],
  ],
  [
    'the payout of somebody else',
    [refused(1)],
    { listed: [shown(1, 'done', { partner_code: 'Q' })] },
    'clear',
    ['refused'],
  ],
])('what is shown is %s', ([, attempts, seen, result, statuses]) => {
  expect(look(payoutOf(attempts), seen)).toMatchObject({ result, statuses });
});

describe('after a reset', () => {
  test('no failure is concluded while the list could not be read: another attempt may have been made', () => {
    const payout = payoutOf([followed(1, 'processing')], { owesScan: true });
    const { result, statuses } = look(payout, { read: [read(1, 'error')], listed: undefined });
    expect([result, statuses]).toEqual(['unreadable', ['processing']]);
  });

  test('movement counts also while the list could not be read', () => {
    const payout = payoutOf([followed(1, 'claimed')], { owesScan: true });
    const { result, statuses } = look(payout, { read: [read(1, 'processing')], listed: undefined });
    expect([result, statuses]).toEqual(['unreadable', ['processing']]);
  });

  test('an attempt that the list shows and that can not be followed is looked for from then on', () => {
    const payout = payoutOf([followed(1, 'error')]);
    const nameless = shown(2, 'claimed', { service_id: null });
    const { change } = lookedAt(payout, { read: [], missing: [], listed: [nameless], now }, right);
    expect(change).toMatchObject({ scan: { from: now, done: 0 } });
    expect(change.news?.[0]).toBe('The service lists attempt 2, of which nothing was known here.');
    expect(change.attempts).toMatchObject([{ number: 1 }, { number: 2, phase: 'verifying', listed: true }]);
  });
});

test('what is given is left as it is', () => {
  const payout = payoutOf([followed(1, 'processing')]);
  const before = JSON.stringify(payout);
  look(payout, { read: [read(1, 'error')], listed: [shown(2, 'done')] });
  expect(JSON.stringify(payout)).toBe(before);
});
