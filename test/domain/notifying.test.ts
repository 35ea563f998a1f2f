import { describe, expect, test } from 'vitest';
import { isOwnSignal, notificationTaskQueue, retryOfBusyMs } from '../../src/domain/notifications.js';
import {
  findNotifyTarget,
  isReservedWorkflowId,
  notifyProblem,
  notifyWorkflowProblem,
} from '../../src/domain/notify-targets.js';

describe('a signal by which the OMS is notified', () => {
  test.for([
    ['postbackReceived', true],
    ['statusHint', true],
    ['identifierShared', true],
    ['retryPayout', true],
    ['__stack_trace', true],
    ['paymentChanged', false],
    ['my__signal', false],
    ['', false],
  ] as const)('named %j would command a payment: %s', ([signal, isOwn]) => {
    expect(isOwnSignal(signal)).toBe(isOwn);
  });
  test('has a queue of its own, so that a receiver that hangs keeps no payment waiting', () => {
    expect(notificationTaskQueue('payments')).toBe('payments-notifications');
  });
});

describe('a notification that found its webhook busy', () => {
  test.for([
    [1, 10_000, 20_000],
    [2, 10_000, 40_000],
    [5, 10_000, 320_000],
    [9, 10_000, 3_600_000],
    [500, 10_000, 3_600_000],
  ] as const)('at attempt %i is tried again after %i to %i ms', ([attempt, soonest, latest]) => {
    expect(retryOfBusyMs(attempt, 0)).toBe(soonest);
    expect(retryOfBusyMs(attempt, 1)).toBe(latest);
  });
});

describe('a workflow that asks to be signalled', () => {
  test.for([
    ...['payout-a', 'order-a', 'refund-a', 'batch-a', 'bulk-retry-a', 'account-validation-a'],
    ...['token-renewal', 'payout-reconciliation-daily', 'temporal-sys-scheduler:a'],
  ])('as %s is one of payments or of Temporal, and never is, even when its beginning is allowed', (id) => {
    expect(isReservedWorkflowId(id)).toBe(true);
    expect(notifyWorkflowProblem([id], id, null)).toContain('never signalled');
  });
  test.for([
    ['shop-1', ['shop-'], undefined],
    ['shop-1', ['erp-', 'shop-'], undefined],
    ['my-shop-1', ['shop-'], 'NOTIFY_WORKFLOWS'],
    ['shop-1', [], 'NOTIFY_WORKFLOWS'],
    ['shop-1', [''], 'NOTIFY_WORKFLOWS'],
    ['my-payout-1', ['my-'], undefined],
  ] as const)('as %s, where %j may be, is notified: %s', ([id, prefixes, part]) => {
    expect(notifyWorkflowProblem(prefixes, id, null) ?? '(none)').toContain(part ?? '(none)');
  });
});

describe('a webhook that a payment names', () => {
  const oms = { name: 'oms', url: 'https://oms.example/hooks', keys: null };
  const raw = { name: 'raw', url: 'https://raw.example', keys: null };
  const root = { name: 'root', url: 'https://root.example/', keys: null };
  test.for([
    ['by its name', 'oms', oms],
    ['by its URL', 'https://oms.example/hooks', oms],
    ['by its URL as browsers write it', 'HTTPS://root.example', root],
    ['by its URL as it was configured', 'https://raw.example', raw],
    ['by another name', 'OMS', undefined],
    ['by an address below it', 'https://oms.example/hooks/more', undefined],
    ['by an address that nobody has configured', 'https://evil.example/', undefined],
    ['by a text as long as no address is', `https://oms.example/hooks?${'x'.repeat(2_048)}`, undefined],
    ['by what is no text', 7, undefined],
    ['by nothing', undefined, undefined],
  ] as const)('%s is one of those that are configured, or none', ([, webhook, found]) => {
    expect(findNotifyTarget([oms, root, raw], webhook, null)).toBe(found);
  });
});

describe('whose payments notify', () => {
  const url = 'https://a.example/';
  test.for([
    [null, 'shop', true],
    [null, null, true],
    [['shop'], 'shop', true],
    [['erp', 'shop'], 'shop', true],
    [['shop'], 'shop-2', false],
    [['shop'], null, false],
    [[], 'shop', false],
  ] as const)('what belongs to %j: those of %j: %s', ([keys, owner, may]) => {
    expect(findNotifyTarget([{ name: 'a', url, keys }], 'a', owner) !== undefined).toBe(may);
    expect(findNotifyTarget([{ name: 'a', url, keys }], url, owner) !== undefined).toBe(may);
    expect(notifyWorkflowProblem([{ prefix: 'a-', keys }], 'a-1', owner) === undefined).toBe(may);
  });

  test('is looked for among all that have an address, and told apart from none by no word', () => {
    const targets = (['market', 'shop'] as const).map((key) => ({ name: `${key}-oms`, url, keys: [key] }));
    const allowed = { notifyTargets: targets, notifyWorkflows: [{ prefix: 'a-', keys: ['market'] }] };
    expect(findNotifyTarget(targets, url, 'shop')).toBe(targets[1]);
    const asked = (notify: object) => notifyProblem(allowed, 'shop', { notify });
    expect(asked({ webhook: 'market-oms' })).toEqual(asked({ webhook: 'nobody' }));
    expect(asked({ workflow_id: 'a-1' })).toEqual(asked({ workflow_id: 'x-1' }));
    expect(asked({ webhook: 'shop-oms' })).toBeUndefined();
  });
});
