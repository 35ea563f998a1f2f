import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-log.js';
import { RefusalSums } from '../../../src/gateway/http/sum-refusals.js';

let written: AuditEntry[];
let sums: RefusalSums;
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  sums = new RefusalSums((entry) => written.push(entry));
});
afterEach(() => vi.useRealTimers());

const refused = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ key: null, address: '192.0.2.1', command: 'POST /v1/cards', outcome: 'unauthorized' },
  ...more,
});
const write = (count: number, entry: AuditEntry) => {
  for (let done = 0; done < count; done += 1) sums.write(entry);
};

test('the first of equal refusals is written at once, those of the next minute as one with their number', () => {
  write(1_000, refused());
  expect(written).toEqual([refused()]);
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([refused(), { ...refused(), times: 999 }]);
  write(2, refused());
  expect(written.slice(2)).toEqual([refused()]);
});

test('a refusal that stays alone is written once', () => {
  sums.write(refused());
  vi.advanceTimersByTime(120_000);
  expect(written).toEqual([refused()]);
});

test.each([
  ['key', { key: 'shop' }],
  ['network', { address: '192.0.2.2' }],
  ['command', { command: 'POST /v1/payouts/pix' }],
  ['outcome', { outcome: 'too-many-requests' }],
] as const)('refusals of another %s are written for themselves', (_what, other) => {
  write(3, refused());
  write(3, refused(other));
  sums.flush();
  expect(written).toEqual([
    ...[refused(), refused(other)],
    ...[
      { ...refused(), times: 2 },
      { ...refused(other), times: 2 },
    ],
  ]);
});

test('whoever has a network of addresses is summed by it', () => {
  for (let host = 1; host <= 500; host += 1)
    sums.write(refused({ address: `2001:db8:0:1::${host.toString(16)}` }));
  sums.flush();
  expect(written).toEqual([
    refused({ address: '2001:db8:0:1::1' }),
    { ...refused({ address: '2001:db8:0:1::/64' }), times: 499 },
  ]);
});

test('whoever has thousands of networks gets no more than a thousand lines, and none is left uncounted', () => {
  for (let network = 0; network < 5_000; network += 1)
    sums.write(refused({ address: `2001:db8:${network.toString(16)}::1` }));
  sums.flush();
  expect(written).toHaveLength(1_002);
  expect(written.at(-1)).toEqual(refused({ address: 'many', times: 3_999 }));
});

test.each([
  ['names a payment', refused({ outcome: 'forbidden', workflow_id: 'payout-1' })],
  ['was accepted', refused({ outcome: 'accepted' })],
  ['could not be read', refused({ outcome: 'invalid-request' })],
])('what %s is never summed', (_what, entry) => {
  write(5, entry);
  expect(written).toHaveLength(5);
});
