import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openWhatIsThere, PayloadKeysError, provePayloadKeys } from '../../src/health/prove-payload-keys.js';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { PayloadDecryptionError } from '../../src/temporal/payload-codec.js';
import {
  ensureReconciliationSchedules,
  reconciliationSchedules,
} from '../../src/temporal/reconciliation-schedules.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const older = newKey('year-2030');
const newer = newKey('year-2031');
const kind = defineSearchAttributeKey('PaymentKind', 'KEYWORD');
const denial = Object.assign(new Error('denied'), {
  code: 7,
  details: 'Request unauthorized.',
  metadata: { get: () => [] },
});

let server: DevServer;

beforeAll(async () => {
  server = await connectDevServer();
});
afterAll(() => server.close());

/** An empty task queue, and what processes with these PAYLOAD_KEYS do there. */
function deployment() {
  const { connection, namespace } = server;
  const taskQueue = `keys-${randomUUID()}`;
  const clientWith = (keys: string, place: Pick<DevServer, 'connection'> = server) => {
    const ring = keys === 'none' ? keys : parseKeyRing(keys);
    return new Client({ connection: place.connection, namespace, dataConverter: createDataConverter(ring) });
  };
  const [{ scheduleId }, ...others] = reconciliationSchedules(taskQueue);
  const schedule = new Client({ connection, namespace }).schedule.getHandle(scheduleId);
  onTestFinished(async () => {
    const { schedule: all } = clientWith('none');
    const ids = [scheduleId, ...others.map((other) => other.scheduleId)];
    await Promise.all(
      ids.map((id) =>
        all
          .getHandle(id)
          .delete()
          .catch(() => undefined),
      ),
    );
  });
  return {
    scheduleId,
    schedule,
    clientWith,
    prove: (keys: string) => provePayloadKeys(clientWith(keys), taskQueue),
    ensure: (keys: string) => ensureReconciliationSchedules(clientWith(keys), taskQueue),
    opened: (keys: string) => openWhatIsThere(clientWith(keys), taskQueue),
    proveWithout: (method: 'describeSchedule' | 'createSchedule', keys: string) => {
      const guard = <Guarded extends object>(guarded: Guarded, name: string, instead: unknown): Guarded =>
        new Proxy(guarded, {
          get: (target, wanted) =>
            wanted === name ? instead : (Reflect.get(target, wanted, target) as unknown),
        });
      const service = guard(connection.workflowService, method, () => Promise.reject(denial));
      return provePayloadKeys(
        clientWith(keys, { connection: guard(connection, 'workflowService', service) }),
        taskQueue,
      );
    },
    /** Starts a payment that nobody works on. */
    pay: async (keys: string): Promise<string> => {
      const workflowId = `payout-${randomUUID()}`;
      const handle = await clientWith(keys).workflow.start('payout', {
        ...{ workflowId, taskQueue, args: [{ partner_code: workflowId }] },
        typedSearchAttributes: [{ key: kind, value: 'payout' }],
      });
      onTestFinished(async () => {
        await handle.terminate();
      });
      return workflowId;
    },
  };
}

/** Until Temporal's search shows it, and as one that is a second old. */
async function untilOpened(opened: () => Promise<string[]>): Promise<void> {
  await vi.waitUntil(async () => (await opened()).includes('the oldest open payment'), waiting);
}

describe('on an empty task queue', () => {
  test('of two processes with different keys that start at once, one gets past the proof', async () => {
    const { prove } = deployment();
    const outcomes = await Promise.allSettled([prove(older), prove(newer)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(PayloadKeysError);
  });

  test('keys of the same id with other bytes are refused', async () => {
    const { prove } = deployment();
    await prove(older);
    await expect(prove(newKey('year-2030'))).rejects.toThrow(/names the key year-2030 but does not open/);
  });

  test('any number of processes with the same keys get past it', async () => {
    const { prove } = deployment();
    await expect(Promise.all([prove(older), prove(older), prove(older)])).resolves.toBeDefined();
  });

  test('a read of what is there changes nothing', async () => {
    const { opened, prove } = deployment();
    expect(await opened(older)).toEqual([]);
    await prove(newer);
  });

  test.each(['describeSchedule', 'createSchedule'] as const)(
    'a process that is not permitted to call %s gets past it',
    async (method) => {
      const { proveWithout } = deployment();
      await expect(proveWithout(method, older)).resolves.toBeUndefined();
    },
  );
});

describe('without encryption', () => {
  test('a process is refused where others encrypt, and its error names the key', async () => {
    const { prove, scheduleId } = deployment();
    await prove(older);
    await expect(prove('none')).rejects.toThrow(
      `the Schedule ${scheduleId} was encrypted with the key year-2030, and this process has no PAYLOAD_KEYS`,
    );
  });

  test('others run: one with keys is refused, until the Schedule that they wrote is deleted', async () => {
    const { prove, schedule, scheduleId } = deployment();
    await prove('none');
    await prove('none');
    await expect(prove(older)).rejects.toThrow(`temporal schedule delete --schedule-id ${scheduleId}`);
    await schedule.delete();
    await prove(older);
    await expect(prove('none')).rejects.toThrow(PayloadKeysError);
  });
});

describe('a ring without the old key', () => {
  test('is refused by the latest payment, and leaves no Schedule of its own', async () => {
    const { pay, opened, prove } = deployment();
    const payment = await pay(older);
    await untilOpened(() => opened(older));
    await expect(prove(newer)).rejects.toThrow(
      `the latest payment, ${payment}, was encrypted with the key year-2030, which PAYLOAD_KEYS does not hold. So this process has not been started`,
    );
    expect(await opened(older)).toEqual(['the latest payment', 'the oldest open payment']);
  });

  test('is refused by the oldest open payment while later ones are under the new key', async () => {
    const { pay, opened, prove } = deployment();
    await prove(`${newer},${older}`);
    const payment = await pay(older);
    const rotated = () => opened(`${newer},${older}`);
    await untilOpened(rotated);
    const later = await pay(newer);
    await expect.poll(() => opened(older).catch(String)).toContain(later);
    await expect(prove(newer)).rejects.toThrow(`the oldest open payment, ${payment}, was encrypted`);
    expect(await rotated()).toEqual([
      'the latest payment',
      'the oldest open payment',
      'the Schedule of the reconciliation',
    ]);
  });

  test('is refused until a worker has written the Schedules under the new key', async () => {
    const { ensure, prove } = deployment();
    await prove(older);
    await ensure(older);
    await prove(`${newer},${older}`);
    await expect(prove(newer)).rejects.toThrow(PayloadKeysError);
    expect(await ensure(`${newer},${older}`)).toEqual(['encrypted', 'encrypted', 'encrypted']);
    await prove(newer);
    expect(await ensure(newer)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });
});

test('a worker that has not got the new key does not overwrite what it can’t open', async () => {
  const { ensure, prove } = deployment();
  await ensure(newer);
  await expect(ensure(older)).rejects.toThrow(PayloadDecryptionError);
  await prove(newer);
  expect(await ensure(newer)).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

test('a Schedule that was edited in plaintext is written under the key again', async () => {
  const { clientWith, ensure, prove, scheduleId } = deployment();
  await ensure(older);
  const handle = clientWith(older).schedule.getHandle(scheduleId);
  const edited = await handle.describe();
  await clientWith('none').schedule.getHandle(scheduleId).delete();
  await clientWith('none').schedule.create({
    ...edited,
    action: { ...edited.action, args: [{ full: false }] },
  });
  expect(await ensure(older)).toEqual(['encrypted', 'unchanged', 'unchanged']);
  await prove(older);
});
