import { describe, expect, test } from 'vitest';
import { isOwnSignal, notificationTaskQueue } from '../../src/domain/notifications.js';
import {
  findNotifyTarget,
  isReservedWorkflowId,
  notifyWorkflowProblem,
} from '../../src/domain/notify-targets.js';

describe('a signal by which the OMS is notified', () => {
  test.for([
    ['postbackReceived', true],
    ['statusHint', true],
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

describe('a workflow that asks to be signalled', () => {
  test.for([
    ...['payout-a', 'order-a', 'refund-a', 'batch-a', 'bulk-retry-a', 'account-validation-a'],
    ...['token-renewal', 'payout-reconciliation-daily', 'temporal-sys-scheduler:a'],
  ])('as %s is one of payments or of Temporal, and never is, even when its beginning is allowed', (id) => {
    expect(isReservedWorkflowId(id)).toBe(true);
    expect(notifyWorkflowProblem([id], id)).toContain('never signalled');
  });
  test.for([
    ['shop-1', ['shop-'], undefined],
    ['shop-1', ['erp-', 'shop-'], undefined],
    ['my-shop-1', ['shop-'], 'NOTIFY_WORKFLOWS'],
    ['shop-1', [], 'NOTIFY_WORKFLOWS'],
    ['shop-1', [''], 'NOTIFY_WORKFLOWS'],
    ['my-payout-1', ['my-'], undefined],
  ] as const)('as %s, where %j may be, is notified: %s', ([id, prefixes, part]) => {
    const problem = notifyWorkflowProblem(prefixes, id);
    if (part === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(part);
  });
});

describe('a webhook that a payment names', () => {
  const oms = { name: 'oms', url: 'https://oms.example/hooks' };
  const raw = { name: 'raw', url: 'https://raw.example' };
  const root = { name: 'root', url: 'https://root.example/' };
  test.for([
    ['by its name', 'oms', oms],
    ['by its URL', 'https://oms.example/hooks', oms],
    ['by its URL as browsers write it', 'HTTPS://root.example', root],
    ['by its URL as it was configured', 'https://raw.example', raw],
    ['by another name', 'OMS', undefined],
    ['by an address below it', 'https://oms.example/hooks/more', undefined],
    ['by an address that nobody has configured', 'https://evil.example/', undefined],
    ['by what is no text', 7, undefined],
    ['by nothing', undefined, undefined],
  ] as const)('%s is one of those that are configured, or none', ([, webhook, found]) => {
    expect(findNotifyTarget([oms, root, raw], webhook)).toBe(found);
  });
});
