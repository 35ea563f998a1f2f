import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { Env } from '../../src/config/environment.js';
import type { Role } from '../../src/config/roles.js';
import { apiKey, faultsOf as faultsOfAll, keyOf, worker } from './support.js';

const secret = (number: number) => `whsec_${keyOf(`webhook ${String(number)}`)}`;

const serving = { ...worker, API_KEYS: `oms:${apiKey('s3cret-of-oms')}:oms:operator` };
const two = {
  NOTIFY_TARGETS: 'shop@oms+erp.2=https://shop.example.com/hooks?v=1, erp=https://erp.internal:8443/',
  NOTIFY_SECRETS: `shop=${secret(1)},erp=${secret(2)},shop=${secret(3)}`,
  NOTIFY_PRIVATE_TARGETS: 'erp',
};
const faultsOf = (env: Env, role: Role) => faultsOfAll({ ...serving, ...env }, role);

describe('the webhooks of an installation', () => {
  test('have a name, an address, secrets of which each signs, and perhaps a private network', () => {
    expect(loadConfig({ ...serving, ...two }, 'worker').notifyTargets).toEqual([
      {
        ...{ name: 'shop', url: 'https://shop.example.com/hooks?v=1', keys: ['oms', 'erp.2'] },
        ...{ secrets: [secret(1), secret(3)], mayBePrivate: false },
      },
      {
        ...{ name: 'erp', url: 'https://erp.internal:8443/', keys: null },
        ...{ secrets: [secret(2)], mayBePrivate: true },
      },
    ]);
  });

  test('are none unless there are some', () => {
    expect(loadConfig(serving, 'worker').notifyTargets).toEqual([]);
  });

  test('need no secret at a gateway, which delivers nothing', () => {
    const { NOTIFY_TARGETS } = two;
    expect(loadConfig({ ...serving, NOTIFY_TARGETS }, 'gateway').notifyTargets).toHaveLength(2);
  });

  const zeros = `shop=whsec_${'A'.repeat(43)}=`;
  const three = `${two.NOTIFY_SECRETS},crm=${secret(4)}`;

  test.for<[string, Env, string]>([
    ['no name', { NOTIFY_TARGETS: 'https://shop.example.com/' }, "can't be used: entry 1"],
    ['http', { NOTIFY_TARGETS: 'shop=http://shop.example.com/' }, "NOTIFY_TARGETS can't be used: shop"],
    ['another scheme', { NOTIFY_TARGETS: 'shop=file:///etc/passwd' }, "NOTIFY_TARGETS can't be used: shop"],
    ['a password', { NOTIFY_TARGETS: 'shop=https://a:b@shop.example.com' }, "can't be used: shop"],
    ['no key', { NOTIFY_TARGETS: 'shop@=https://shop.example.com/' }, "can't be used: entry 1"],
    ['no name of a key', { NOTIFY_TARGETS: 'shop@a+=https://a.io' }, "can't be used: entry 1"],
    ['a name twice', { ...two, NOTIFY_TARGETS: 'shop=https://a.io,shop=https://b.io' }, 'entry 2 repeats'],
    ['no secret', { ...two, NOTIFY_SECRETS: `shop=${secret(1)}` }, 'NOTIFY_SECRETS has no secret for erp'],
    ['a short secret', { ...two, NOTIFY_SECRETS: 'shop=whsec_c2hvcnQ=' }, 'a secret of shop is not whsec_'],
    ['a secret of zeros', { ...two, NOTIFY_SECRETS: zeros }, 'that chance has made'],
    ['another secret', { ...two, NOTIFY_SECRETS: 'shop=hunter2' }, 'a secret of shop is not whsec_'],
    ['a secret of nobody', { ...two, NOTIFY_SECRETS: three }, 'has no crm'],
    ['a private nobody', { ...two, NOTIFY_PRIVATE_TARGETS: 'erp,crm' }, 'NOTIFY_TARGETS has no crm'],
  ])('with %s are refused in words, and no secret is repeated', ([, env, words]) => {
    const faults = faultsOf(env, 'worker').join('\n');
    expect(faults).toContain(words);
    expect(faults).not.toMatch(new RegExp(`hunter2|c2hvcnQ|a:b@|${secret(1)}`));
  });
});

describe('the workflows that payments may signal', () => {
  test('are none unless there are some', () => {
    expect(loadConfig(serving, 'worker').notifyWorkflows).toEqual([]);
    const env = { ...serving, NOTIFY_WORKFLOWS: 'shop-, erp/orders/' };
    for (const role of ['worker', 'gateway', 'cli'] as const)
      expect(loadConfig(env, role).notifyWorkflows).toEqual(['shop-', 'erp/orders/']);
  });

  test('are those of the keys that are written with them, or of all', () => {
    const env = { ...serving, NOTIFY_WORKFLOWS: 'shop-@oms+erp, mail@home-@oms, all-@*' };
    expect(loadConfig(env, 'worker').notifyWorkflows).toEqual([
      { prefix: 'shop-', keys: ['oms', 'erp'] },
      { prefix: 'mail@home-', keys: ['oms'] },
      { prefix: 'all-', keys: null },
    ]);
  });

  const reserved = [
    ...['temporal-sys-', 'payout-', 'payout-reconciliation', 'batch-1', 'token-renewal-', 'payout-@oms'],
    ...['notification-', 'webhook-resend-nightly', 'webhook-ping-', 'payment-outcome:'],
    // Ids of payments or of Temporal begin so too.
    ...['or', 'payout', 'temporal-', 'bulk-', 'webhook', 'payment', 'temporal@oms'],
  ];

  test.for([
    ...['shop-@', '@oms', 'shop-@oms+'].map((entry) => [entry, 'is not'] as const),
    ...reserved.map((entry) => [entry, 'is how ids'] as const),
    ...['s', 'x@oms', '-'].map((entry) => [entry, 'is one character'] as const),
  ])('are never written as %j, which %s', ([entry, words]) => {
    expect(faultsOf({ NOTIFY_WORKFLOWS: `shop-,${entry}` }, 'worker')).toEqual([
      expect.stringContaining(`NOTIFY_WORKFLOWS can't be used: entry 2 ${words}`),
    ]);
  });
});

describe('an installation with several keys that start payments', () => {
  const key = (name: string) => `${name}:${`of-${name}-0123456789`.repeat(2)}`;
  const API_KEYS = `${key('oms')}:oms:operator,${key('market')}:oms,${key('ana')}:operator`;
  const { NOTIFY_TARGETS, NOTIFY_SECRETS } = two;

  test('says whose each webhook and each beginning of an id is', () => {
    const targets = { API_KEYS, NOTIFY_TARGETS, NOTIFY_SECRETS };
    expect(faultsOf({ ...targets, NOTIFY_WORKFLOWS: 'shop-' }, 'gateway')).toEqual([
      expect.stringContaining('NOTIFY_TARGETS does not say whose erp is'),
      expect.stringContaining('NOTIFY_WORKFLOWS does not say whose shop- is'),
    ]);
    const owned = { NOTIFY_TARGETS: NOTIFY_TARGETS.replace('erp=', 'erp@*='), NOTIFY_WORKFLOWS: 'shop-@oms' };
    expect(faultsOf({ ...targets, ...owned }, 'gateway')).toEqual([]);
  });

  test('counts the names of Nexus callers like those of keys, also at a worker, which knows no keys', () => {
    const keys = { API_KEYS: `${key('oms')}:oms`, TEMPORAL_ADDRESS: '127.0.0.1:7233' };
    const one = { ...keys, NOTIFY_TARGETS, NOTIFY_SECRETS };
    const unowned = [expect.stringContaining('NOTIFY_TARGETS does not say whose erp is')];
    expect(faultsOf({ ...one, NEXUS_CALLERS: 'oms' }, 'start')).toEqual([]);
    expect(faultsOf({ ...one, NEXUS_CALLERS: 'oms,market' }, 'start')).toEqual(unowned);
    expect(faultsOf({ ...one, API_KEYS: undefined, NEXUS_CALLERS: 'market' }, 'worker')).toEqual(unowned);
    expect(faultsOf({ ...one, API_KEYS: undefined }, 'worker')).toEqual([]);
  });

  test('with one of them alone need not', () => {
    const one = `${key('oms')}:oms,${key('ana')}:operator`;
    expect(faultsOf({ API_KEYS: one, NOTIFY_TARGETS, NOTIFY_SECRETS }, 'gateway')).toEqual([]);
  });
});
