import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { quietRuntime } from '../support/temporal-runtime.js';

const { IndexedValueType } = proto.temporal.api.enums.v1;

let connection: Connection;

beforeAll(async () => {
  quietRuntime();
  connection = await Connection.connect({ address: inject('temporalAddress') });
});

afterAll(() => connection.close());

async function freshNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  return namespace;
}

test('in a namespace that has none, payments can be started with attributes and found by them at once; registering them again changes nothing', async () => {
  const namespace = await freshNamespace();
  const ensure = () => ensureSearchAttributes(connection, namespace);
  await Promise.all([ensure(), ensure()]);
  await ensure();

  const { workflow } = new Client({ connection, namespace });
  const handle = await workflow.start('payout', {
    workflowId: 'payout-1',
    taskQueue: 'nobody',
    searchAttributes: { PaymentKind: ['payout'], PaymentValue: [12.5] },
  });
  const query = `PaymentKind = 'payout' AND PaymentValue > 12`;
  await expect.poll(async () => (await workflow.count(query)).count).toBe(1);
  await handle.terminate();
});

test('a process that runs workers registers them over its own connection', async () => {
  const namespace = await freshNamespace();
  const native = await NativeConnection.connect({ address: inject('temporalAddress') });
  try {
    await ensureSearchAttributes(native, namespace);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes)).toEqual(
      expect.arrayContaining(['PaymentAttention', 'PaymentValue']),
    );
  } finally {
    await native.close();
  }
});

test('an attribute of the same name and another type is refused', async () => {
  const namespace = await freshNamespace();
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: { PaymentValue: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD },
  });
  await expect(ensureSearchAttributes(connection, namespace)).rejects.toThrow(/PaymentValue.*another type/);
});

test('where there is no room for them the error has the reason of Temporal, and no command that fails as well', async () => {
  const namespace = await freshNamespace();
  const others = Array.from({ length: 10 }, (_, at) => [
    `Other${String(at)}`,
    IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  ]);
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(others) as Record<string, number>,
  });
  const failed = ensureSearchAttributes(connection, namespace);
  await expect(failed).rejects.toThrow(/\(.*Keyword.*\)\. Use a namespace for payments alone/);
  await expect(failed).rejects.not.toThrow('temporal operator');
});

test('without the permission the error holds the command for someone who has it', async () => {
  const namespace = await freshNamespace();
  const denial = Object.assign(new Error('denied'), {
    code: 7,
    details: 'Request unauthorized.',
    metadata: {},
  });
  const guarded = new Proxy(connection, {
    get: (target, name) =>
      name === 'operatorService'
        ? { listSearchAttributes: () => Promise.reject(denial) }
        : (Reflect.get(target, name) as unknown),
  });
  await expect(ensureSearchAttributes(guarded, namespace)).rejects.toThrow(
    `temporal operator search-attribute create --namespace ${namespace} --name PaymentKind --type Keyword`,
  );
});
