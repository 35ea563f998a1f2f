import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import type { Role } from '../../src/config/roles.js';

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const secret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

const serving = {
  PAYMENTS_BASE_URL: 'https://payments.example.com',
  PAYMENTS_CLIENT_ID: 'shop',
  PAYMENTS_CLIENT_SECRET: 'very-secret',
  PUBLIC_URL: 'https://shop.example.com',
  POSTBACK_KEYS: `p1:${Buffer.alloc(32, 2).toString('base64')}`,
  PAYLOAD_KEYS: KEY,
  API_KEYS: `oms:${'s3cret-of-oms'.repeat(2)}`,
};
const two = {
  NOTIFY_TARGETS: 'shop=https://shop.example.com/hooks?v=1, erp=https://erp.internal:8443/',
  NOTIFY_SECRETS: `shop=${secret(1)},erp=${secret(2)},shop=${secret(3)}`,
  NOTIFY_PRIVATE_TARGETS: 'erp',
};

function faultsOf(env: Env, role: Role): readonly string[] {
  try {
    loadConfig({ ...serving, ...env }, role);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the webhooks of an installation', () => {
  test('have a name, an address, secrets of which each signs, and perhaps a private network', () => {
    expect(loadConfig({ ...serving, ...two }, 'worker').notifyTargets).toEqual([
      {
        name: 'shop',
        url: 'https://shop.example.com/hooks?v=1',
        secrets: [secret(1), secret(3)],
        mayBePrivate: false,
      },
      { name: 'erp', url: 'https://erp.internal:8443/', secrets: [secret(2)], mayBePrivate: true },
    ]);
  });

  test('are none unless there are some', () => {
    expect(loadConfig(serving, 'worker').notifyTargets).toEqual([]);
  });

  test('need no secret at a gateway, which delivers nothing', () => {
    const { NOTIFY_TARGETS } = two;
    expect(loadConfig({ ...serving, NOTIFY_TARGETS }, 'gateway').notifyTargets).toHaveLength(2);
  });

  test.for<[string, Env, string]>([
    ['no name', { NOTIFY_TARGETS: 'https://shop.example.com/' }, "NOTIFY_TARGETS can't be used: entry 1"],
    ['http', { NOTIFY_TARGETS: 'shop=http://shop.example.com/' }, "NOTIFY_TARGETS can't be used: shop"],
    ['another scheme', { NOTIFY_TARGETS: 'shop=file:///etc/passwd' }, "NOTIFY_TARGETS can't be used: shop"],
    ['a password', { NOTIFY_TARGETS: 'shop=https://a:b@shop.example.com' }, "can't be used: shop"],
    ['a name twice', { ...two, NOTIFY_TARGETS: 'shop=https://a.io,shop=https://b.io' }, 'entry 2 repeats'],
    ['no secret', { ...two, NOTIFY_SECRETS: `shop=${secret(1)}` }, 'NOTIFY_SECRETS has no secret for erp'],
    ['a short secret', { ...two, NOTIFY_SECRETS: 'shop=whsec_c2hvcnQ=' }, 'a secret of shop is not whsec_'],
    ['another secret', { ...two, NOTIFY_SECRETS: 'shop=hunter2' }, 'a secret of shop is not whsec_'],
    [
      'a secret of nobody',
      { ...two, NOTIFY_SECRETS: `${two.NOTIFY_SECRETS},crm=${secret(4)}` },
      'has no crm',
    ],
    ['a private nobody', { ...two, NOTIFY_PRIVATE_TARGETS: 'erp,crm' }, 'NOTIFY_TARGETS has no crm'],
  ])('with %s are refused in words, and no secret is repeated', ([, env, words]) => {
    const faults = faultsOf(env, 'worker').join('\n');
    expect(faults).toContain(words);
    expect(faults).not.toMatch(/hunter2|c2hvcnQ|AQEB|a:b@/);
  });
});

describe('the workflows that payments may signal', () => {
  test('are none unless there are some', () => {
    expect(loadConfig(serving, 'worker').notifyWorkflows).toEqual([]);
    const env = { ...serving, NOTIFY_WORKFLOWS: 'shop-, erp/orders/' };
    for (const role of ['worker', 'gateway', 'cli'] as const)
      expect(loadConfig(env, role).notifyWorkflows).toEqual(['shop-', 'erp/orders/']);
  });

  test.each(['temporal-sys-', 'payout-', 'payout-reconciliation', 'batch-1', 'token-renewal-'])(
    'are never those that begin with %s',
    (prefix) => {
      expect(faultsOf({ NOTIFY_WORKFLOWS: `shop-,${prefix}` }, 'worker')).toEqual([
        expect.stringContaining("NOTIFY_WORKFLOWS can't be used: entry 2"),
      ]);
    },
  );
});
