import { describe, expect, test } from 'vitest';
import { composeFile } from './support/compose.js';

const base = composeFile('docker-compose.yml');
const monitoring = composeFile('docker-compose.monitoring.yml');
/** As Compose has it when it is given both files. */
const both = [...Object.entries(base.services), ...Object.entries(monitoring.services)];
const networks = { ...base.networks, ...monitoring.networks };
const names = [...new Set(both.map(([name]) => name))];
const networksOf = (name: string) =>
  both.flatMap(([each, { networks: own }]) => (each === name ? own : [])).sort();
const shared = (one: string, other: string) =>
  networksOf(one).filter((network) => networksOf(other).includes(network));
const reachedFrom = (name: string) =>
  names.filter((other) => other !== name && shared(name, other).length > 0).sort();

describe('a container that is taken over', () => {
  test.each([
    ['reaches PostgreSQL from Temporal and its schema alone', 'postgresql', ['temporal', 'temporal-schema']],
    ['as the sandbox reaches neither Temporal nor its database', 'sandbox', ['gateway', 'worker']],
    ['as the proxy of the Web UI reaches neither of them', 'web-ui', ['gateway', 'temporal-ui']],
    [
      'as the Web UI reaches no database and no sandbox',
      'temporal-ui',
      ['gateway', 'temporal', 'temporal-namespace', 'web-ui', 'worker'],
    ],
    ['as Prometheus reaches neither of them', 'prometheus', ['gateway', 'grafana', 'worker']],
    ['as Grafana reaches Prometheus alone', 'grafana', ['prometheus']],
    [
      'as a worker reaches no database, and what is before the Web UI not either',
      'worker',
      ['gateway', 'prometheus', 'sandbox', 'temporal', 'temporal-namespace', 'temporal-ui'],
    ],
    [
      'as a gateway reaches no database',
      'gateway',
      ['prometheus', 'sandbox', 'temporal', 'temporal-namespace', 'temporal-ui', 'web-ui', 'worker'],
    ],
  ])('%s', (_sentence, name, reached) => {
    expect(reachedFrom(name)).toEqual(reached);
  });

  test('finds a worker that listens to no other container, unless Prometheus is there', () => {
    expect(base.services.worker?.environment.METRICS_HOST).toBe('127.0.0.1');
    expect(monitoring.services.worker?.environment.METRICS_HOST).toBe('0.0.0.0');
    expect(base.services.worker?.ports).toEqual([]);
  });

  test('has a way outside only where it calls outside or has a port, and never two', () => {
    const outward = Object.keys(networks).filter((network) => networks[network]?.internal !== true);
    const published = both.flatMap(([name, { ports }]) => (ports.length > 0 ? [name] : []));
    for (const name of names) {
      const own = networksOf(name).filter((network) => outward.includes(network));
      const needsOne = ['gateway', 'worker', ...published].includes(name);
      expect(own, name).toHaveLength(needsOne ? 1 : 0);
    }
  });
});

test.each([
  ['gateway', 'temporal'],
  ['worker', 'temporal'],
  ['temporal-namespace', 'temporal'],
  ['temporal-ui', 'temporal'],
  ['temporal', 'postgresql'],
  ['temporal-schema', 'postgresql'],
  ['web-ui', 'gateway'],
  ['web-ui', 'temporal-ui'],
  ['gateway', 'sandbox'],
  ['worker', 'sandbox'],
  ['sandbox', 'gateway'],
  ['prometheus', 'gateway'],
  ['prometheus', 'worker'],
  ['grafana', 'prometheus'],
])('%s finds one address behind the name %s, for they share one network', (caller, called) => {
  expect(shared(caller, called)).toHaveLength(1);
});

test('each container is in networks that the files describe, or in those of another', () => {
  for (const name of names) {
    const isBeside = both.some(([each, { network_mode: mode }]) => each === name && mode !== undefined);
    const own = networksOf(name);
    expect(own.length > 0, name).toBe(!isBeside);
    for (const network of own) expect(Object.keys(networks), name).toContain(network);
  }
});

test('Temporal, which has two addresses, is configured with the one at which its parts find each other', () => {
  expect(networksOf('temporal')).toHaveLength(2);
  expect(base.services.temporal?.environment.TEMPORAL_BROADCAST_ADDRESS).toBe('127.0.0.1');
});
