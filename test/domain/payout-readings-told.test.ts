import { expect, test } from 'vitest';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import { lookedAt, type Look } from '../../src/domain/payout-readings.js';
import { followed, look, now, payoutOf, read, refused, right, shown } from '../support/payout-readings.js';

test('each change of an attempt is told once, with what was found', () => {
  const { news } = look(payoutOf([refused(1)]), { listed: [shown(1, 'done')] });
  expect(news).toEqual(['Found at the service: attempt 1', 'Attempt 1: submitted → done']);
  expect(look(payoutOf([followed(1, 'done')]), { read: [read(1, 'done')] }).news).toEqual([]);
});

test('a look that changes nothing is told as such', () => {
  const whatOf = (status: string) =>
    lookedAt(
      payoutOf([followed(1, 'claimed')]),
      { read: [read(1, status)], missing: [], listed: null, now },
      right,
    ).change.what;
  expect([whatOf('claimed'), whatOf('done')]).toEqual(['Read at the service.', undefined]);
});

test.for<[string, Attempt, Partial<Look>, object]>([
  [
    'that fits again',
    { ...followed(1, 'claimed'), misfit: 'x' },
    { read: [read(1, 'done')] },
    { misfit: null },
  ],
  [
    'once in the list',
    followed(1, 'claimed'),
    { listed: [shown(1, 'done')] },
    { listFault: null, listId: null },
  ],
  [
    'in the list under another identifier',
    followed(1, 'claimed'),
    { listed: [shown(1, 'done', { service_id: 'L1' })] },
    { listId: 'L1', serviceId: '71' },
  ],
  [
    'twice in the list',
    followed(1, 'claimed'),
    { listed: [shown(1, 'done'), shown(1, 'error')] },
    { listFault: 'The service lists P 2 times.' },
  ],
])('an attempt that is shown %s is kept as such', ([, latest, seen, expected]) => {
  expect(look(payoutOf([latest]), seen).attempts).toEqual([expect.objectContaining(expected)]);
});

test.for([
  ['done', / \(done\)$/],
  [null, / \(no status\)$/],
] as const)('what does not fit is told with its status %s, which is news', ([status, told]) => {
  const { attempts } = look(payoutOf([followed(1, 'claimed')]), {
    read: [read(1, status, { value_centavos: 1 })],
  });
  expect(attempts[0]?.misfit).toMatch(told);
});

test('an attempt that had failed for good and moves again is known as such', () => {
  const { attempts } = look(payoutOf([followed(1, 'error'), followed(2, 'done')]), {
    read: [read(1, 'claimed')],
  });
  expect(attempts).toMatchObject([{ revived: true, wasDone: false }, { status: 'done' }]);
});
