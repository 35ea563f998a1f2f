import { connectClient } from '../../temporal/connection.js';
import { createDataConverter } from '../../temporal/data-converter.js';
import { failed, wordsOf } from './check.js';
import type { DoctorCheck } from './check.js';
import { fleetChecks } from './fleet-checks.js';
import { diskCheck, publicUrlCheck, serviceLoginCheck, webhooksCheck } from './outside-checks.js';
import { subjectFrom } from './subject.js';
import type { ExaminedRole, Subject } from './subject.js';
import { namespaceCheck, permissionsCheck, searchAttributesCheck, temporalCheck } from './temporal-checks.js';

const callsMs = 30_000;

/** Looks at everything that a deployment needs. Changes nothing. */
export async function examine(role: ExaminedRole | undefined): Promise<DoctorCheck[]> {
  const { check, subject } = await subjectFrom(role);
  // Of a configuration with faults nothing is known that these could look at.
  const configured = check.ok
    ? [
        serviceLoginCheck(subject.payments),
        publicUrlCheck(subject.publicUrl),
        webhooksCheck(subject.notifyTargets),
      ]
    : [];
  const [temporal, ...outside] = await Promise.all([
    check.ok || subject.temporal !== null ? temporalChecks(subject) : [],
    ...configured,
    diskCheck(subject.dataDir),
  ]);
  return [check, ...temporal, ...outside];
}

async function temporalChecks(subject: Subject): Promise<DoctorCheck[]> {
  const { temporal, payloadKeys, taskQueue } = subject;
  if (temporal === null) {
    return [
      failed('temporal', 'It is not known where Temporal is.', 'Set TEMPORAL_ADDRESS, or run `npm start`.'),
    ];
  }
  const address = String(temporal.connectionOptions.address);
  const opened = await connectClient(temporal, createDataConverter(payloadKeys ?? 'none')).catch(() => null);
  if (opened === null) {
    return [
      failed(
        'temporal',
        `No Temporal answers at ${address}.`,
        'Start it, or correct TEMPORAL_ADDRESS and the TEMPORAL_TLS_… variables.',
      ),
    ];
  }
  const { client, connection } = opened;
  try {
    return await client.withDeadline(Date.now() + callsMs, async () => {
      const namespace = await namespaceCheck(client);
      const first = [await temporalCheck(client, address), namespace];
      if (!namespace.ok && namespace.detail.includes('can’t be used')) return first;
      const attributes = await searchAttributesCheck(connection, client.options.namespace);
      const permissions = await permissionsCheck(client, taskQueue);
      // Without the attributes, payments can't be found.
      if (!attributes.ok) return [...first, attributes, permissions];
      return [...first, attributes, permissions, ...(await fleetChecks(client, subject))];
    });
  } catch (error) {
    return [
      failed('temporal', `Temporal answers with an error: ${wordsOf(error)}`, 'Look at Temporal’s log.'),
    ];
  } finally {
    await opened.close();
  }
}
