import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/cli/export/payout-differences.js';
import type { ListedAttempt, OurPayout } from '../../../src/cli/export/payout-differences.js';

const own: OurPayout = { partner_code: 'p', service_id: '1', status: 'done', value: 25 };
const first: ListedAttempt = { id: '1', partner_code: 'p', status: 'done', value: '25.00' };
const second: ListedAttempt = { id: '2', partner_code: 'p-r2', status: 'done', value: '25.00' };
const failed = { status: 'error' };

const cases: [string, OurPayout, ListedAttempt[], (string | null)[]][] = [
  ['as we know it', own, [first], [null]],
  ['another value', own, [{ ...first, value: '25.01' }], ['another_value']],
  ['no value at the service', own, [{ ...first, value: null }], [null]],
  ['a value that is no amount', own, [{ ...first, value: 'unreadable' }], ['another_value']],
  ['another status', { ...own, status: 'processing' }, [first], ['another_status']],
  ['an outcome that is unknown here', { ...own, status: 'submission_unknown' }, [first], ['another_status']],
  ['being submitted here', { ...own, status: 'submitting' }, [first], [null]],
  ['failed there and given up here', { ...own, status: 'abandoned' }, [{ ...first, ...failed }], [null]],
  ['failed there and done here', own, [{ ...first, ...failed }], ['another_status']],
  ['retried', { ...own, service_id: '2' }, [second, { ...first, ...failed }], [null, null]],
  [
    'retried, by identifiers of another kind',
    { ...own, service_id: 'uuid-of-2' },
    [second, { ...first, ...failed }],
    [null, null],
  ],
  [
    'retried and failed again, by identifiers of another kind',
    { ...own, service_id: 'uuid-of-2' },
    [
      { ...second, ...failed },
      { ...first, ...failed },
    ],
    ['another_status', null],
  ],
  ['paid by the first of two', { ...own, service_id: '2' }, [{ ...second, ...failed }, first], [null, null]],
  ['two done', { ...own, service_id: '2' }, [second, first], ['two_attempts_done', 'two_attempts_done']],
  [
    'two records of one attempt, of which one failed',
    own,
    [{ ...first, id: '9', ...failed }, first],
    ['not_ours', null],
  ],
  ['a record without a code, by its identifier', own, [{ ...first, partner_code: null }], [null]],
];

describe('a payout of the list is compared with ours', () => {
  test.each(cases)('%s', (_what, ours, records, expected) => {
    expect(differencesOf(ours, records)).toEqual(expected);
  });
});
