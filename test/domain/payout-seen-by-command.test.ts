import { describe, expect, test } from 'vitest';
import type { PayoutShown } from '../../src/domain/misfit.js';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import { seenByCommand, type SeenByCommand } from '../../src/domain/payout-readings.js';
import type { Payout } from '../../src/domain/payout.js';
import { attempt, payoutOf, refused, right, shown } from '../support/payout-readings.js';

describe('a command that has seen of an attempt without a read', () => {
  const unread = attempt(1, { phase: 'known', serviceId: '71', status: 'claimed' });
  const denied = attempt(1, { phase: 'unknown', serviceId: '71' });
  const other = (more: Partial<PayoutShown> = {}) => shown(1, 'processing', { service_id: '99', ...more });

  test.for<[string, Attempt, Partial<SeenByCommand>, Partial<Attempt>]>([
    ['nothing', unread, {}, { status: 'claimed', wasRead: false }],
    ['movement', unread, { own: shown(1, 'done') }, { status: 'done', wasRead: true }],
    [
      'movement of one that was not followed',
      denied,
      { own: shown(1, 'done') },
      { phase: 'known', status: 'done' },
    ],
    ['a failure', unread, { own: shown(1, 'error') }, { status: 'claimed', wasRead: false }],
    ['no status', unread, { own: shown(1, null) }, { status: 'claimed', wasRead: false }],
    [
      'another value',
      unread,
      { own: shown(1, 'done', { value_centavos: 1 }) },
      { status: 'claimed', wasRead: false, misfit: null },
    ],
    [
      'its code under another identifier',
      unread,
      { records: [other()] },
      { listed: true, status: 'claimed' },
    ],
    [
      'its code and another value',
      unread,
      { records: [other({ value_centavos: 1 })] },
      { listed: true, misfit: null },
    ],
    [
      'its code under another identifier, after another record',
      denied,
      { records: [other({ partner_code: null }), other()] },
      { listed: true, phase: 'unknown' },
    ],
  ])('%s', ([, latest, seen, expected]) => {
    const { attempts } = seenByCommand(payoutOf([latest]), { own: null, records: [], ...seen }, right);
    expect(attempts).toEqual([expect.objectContaining(expected)]);
  });

  test.for<[string, PayoutShown[]]>([
    ['no record', []],
    ['a record of another payout', [other({ partner_code: 'Q' })]],
    ['a record that shows no code', [other({ partner_code: null })]],
  ])('%s knows nothing of it', ([, records]) => {
    const { attempts } = seenByCommand(payoutOf([unread]), { own: null, records }, right);
    expect(attempts).toEqual([unread]);
  });

  test.for<[string, Partial<SeenByCommand>, boolean]>([
    ['nothing', {}, false],
    ['its own identifier moving', { records: [shown(1, 'processing', { service_id: '71' })] }, false],
    ['another identifier moving', { records: [other()] }, true],
    ['no identifier, and movement', { records: [other({ service_id: null })] }, true],
    ['another identifier without a status', { records: [other({ status: null })] }, true],
    ['another identifier failed', { records: [other({ status: 'error' })] }, false],
    ['another payout moving', { records: [other({ partner_code: 'Q' })] }, false],
  ])('that has seen %s owes a scan, or does not', ([, seen, owes]) => {
    const owesScan = (payout: Payout) =>
      seenByCommand(payout, { own: null, records: [], ...seen }, right).owesScan;
    expect(owesScan(payoutOf([unread]))).toBe(owes);
    expect(owesScan({ ...payoutOf([unread]), owesScan: true })).toBe(true);
  });

  test('has seen nothing of the attempt before', () => {
    const payout = payoutOf([refused(1), attempt(2, { phase: 'unknown' })]);
    const { attempts } = seenByCommand(payout, { own: null, records: [shown(1, 'done')] }, right);
    expect(attempts).toEqual(payout.attempts);
  });
});
