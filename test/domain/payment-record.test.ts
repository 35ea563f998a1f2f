import { expect, test } from 'vitest';
import { attentionTexts } from '../../src/domain/attention.js';
import { followCadence, settlementCadence, watchCadence } from '../../src/domain/cadence.js';
import { orderCadence } from '../../src/domain/order-cadence.js';
import {
  attentionOf,
  commonState,
  firstExpectation,
  newRecord,
  summaryOf,
  type RecordData,
} from '../../src/domain/payment-record.js';

const identity = {
  ...{ kind: 'payout' as const, partnerCode: 'a', workflowId: 'payout-a' },
  ...{ owner: 'shop', valueCentavos: 15_025 },
};
const at = Date.UTC(2026, 0, 5, 12);
const stamp = '2026-01-05T12:00:00.000Z';
const expectation = { ...firstExpectation, commands: [] };
const recordWith = (more: Partial<RecordData> = {}) => ({ ...newRecord('payout', at), ...more });

test.for([
  ['waiting_payment', followCadence],
  ['under_review', followCadence],
  ['paid', settlementCadence],
  ['compensated', watchCadence],
  ['denied', watchCadence],
  ['refunded', watchCadence],
] as const)('an order that is %s has its own cadence of reads', ([status, cadence]) => {
  expect(orderCadence(status)).toBe(cadence);
});

test('a payment that was started just now has its first status, no attention, and nothing of the service', () => {
  expect(newRecord('payout', at)).toMatchObject({
    ...{ serviceId: null, status: 'submitting', changedAt: at, updatedAt: at, needs: {}, timeline: [] },
    ...{ lastRead: null, unreadableSince: null },
  });
  expect(newRecord('refund', at).status).toBe('requesting');
});

test('of several reasons that need attention the gravest is shown', () => {
  expect(attentionOf(recordWith())).toBeNull();
  const needs = { overdue: ['late'], payout_failed: ['failed'], paid_twice: ['twice'] };
  expect(attentionOf(recordWith({ needs }))).toBe('paid_twice');
  expect(attentionOf(recordWith({ needs: { overdue: [''] } }))).toBe('overdue');
});

test('a state and a notification show the same of a payment', () => {
  const data = recordWith({ serviceId: '7', status: 'error', cause: 'service_error' });
  expect(summaryOf(identity, data)).toEqual({
    ...{ partner_code: 'a', workflow_id: 'payout-a', started_by: 'shop', service_id: '7', status: 'error' },
    ...{ attention: null, value: 150.25, cause: 'service_error' },
  });
  expect(commonState(identity, data, expectation)).toMatchObject(summaryOf(identity, data));
});

test('a state shows what was read, what is awaited, and no attention while there is none', () => {
  expect(commonState(identity, recordWith(), expectation)).toMatchObject({
    ...{ started_by: 'shop', attention_detail: null, updated_at: stamp, changed_at: stamp },
    ...{ closed: false, closed_as: null, refusal: null, last_read: null },
    ...{ next_read_at: null, next_read_cause: null, timeline: [] },
  });
  const timeline = [{ at: stamp, what: 'Started' }];
  const read = recordWith({ lastRead: { at, cause: 'hint', status: 'done' }, refusal: 'no', timeline });
  const commands = ['acknowledgeAttention' as const];
  const nextRead = { at, cause: 'cadence' as const };
  const state = commonState(identity, read, { commands, awaiting: 'a read', nextRead, closed: true });
  expect(state).toMatchObject({
    ...{ awaiting: 'a read', closed: true, commands, refusal: 'no', timeline },
    ...{ last_read: { at: stamp, cause: 'hint', status: 'done' } },
    ...{ next_read_at: stamp, next_read_cause: 'cadence' },
  });
  expect(state.timeline[0]).not.toBe(timeline[0]);
});

const detailOf = (needs: RecordData['needs'], more: object = {}) =>
  commonState(identity, recordWith({ needs }), { ...expectation, ...more }).attention_detail;

test('the detail of an attention says what happened, what it means and what to do', () => {
  const { action, meaning } = attentionTexts.overdue;
  expect(detailOf({ overdue: ['It is late.'] })).toBe(`It is late. ${meaning} What to do: ${action}`);
  expect(detailOf({ overdue: [] })).toBe(`${meaning} What to do: ${action}`);
});

test('after a reset nothing is stated about the money before all was read again', () => {
  const detail = detailOf({ payout_failed: ['It failed.'] }, { isStale: true });
  expect(detail).toContain('It failed. The workflow was reset');
  expect(detail).toContain('money may have moved');
  expect(detail).not.toContain(attentionTexts.payout_failed.meaning);
});

test('the detail of a refused payout that is closed offers no retry: it would be refused', () => {
  const detail = detailOf({ payout_failed: ['Refused.'] }, { closed: true });
  expect(detail).toContain(`Refused. ${attentionTexts.payout_failed.meaning}`);
  expect(detail).toContain('pay it under a new partner_code');
  expect(detail).not.toContain('retryPayout');
});
