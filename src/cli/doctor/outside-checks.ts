import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isLoopback } from '../../config/values.js';
import type { NotifyTarget } from '../../domain/notify-targets.js';
import { connectionFault } from '../../health/reach-service.js';
import { createPaymentsService } from '../../payments-service/create-payments-service.js';
import { failed, passed } from './check.js';
import type { DoctorCheck } from './check.js';
import type { Subject } from './subject.js';

const callMs = 5_000;
const leastFreeBytes = 1_000_000_000;

/** Whether the service takes these credentials: `POST /v1/auth`, which moves no money. */
export async function serviceLoginCheck(payments: Subject['payments']): Promise<DoctorCheck> {
  const name = 'service_login';
  if (payments === null) return passed(name, 'Payments go to the sandbox of `start`.');
  const service = createPaymentsService(payments);
  try {
    const result = await service.authenticate();
    if (result.outcome === 'answered')
      return passed(name, 'The payments service takes the client id and secret.');
    const isRefused = result.outcome === 'unauthorized' || result.outcome === 'refused';
    return failed(
      name,
      `The payments service gave no access token. ${result.reason}`,
      isRefused
        ? 'Correct PAYMENTS_CLIENT_ID and PAYMENTS_CLIENT_SECRET.'
        : 'Look at PAYMENTS_BASE_URL, at the way there, and at the service itself. ' +
            'If other machines reach it, stop the workers on this one.',
    );
  } finally {
    await service.close();
  }
}

/** Whether a gateway answers at the address that the service is given for its postbacks. */
export async function publicUrlCheck(publicUrl: string | null): Promise<DoctorCheck> {
  const name = 'public_url';
  if (publicUrl === null) return passed(name, 'The sandbox reaches the gateway on this machine.');
  const answer = await fetch(`${publicUrl}/postbacks/doctor`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(callMs),
  }).catch((error: unknown) => (error instanceof Error ? codeOf(error) : 'no answer'));
  const action =
    'Have PUBLIC_URL lead to the gateways, with its path /postbacks/ at least; without it payments are only read, later.';
  if (typeof answer === 'string') return failed(name, `Nothing answers at PUBLIC_URL (${answer}).`, action);
  // At the path of postbacks, and there alone, a gateway answers a GET with 405 and a problem.
  const type = answer.headers.get('content-type') ?? '';
  await answer.body?.cancel();
  if (answer.status !== 405 || !type.includes('application/problem+json')) {
    return failed(
      name,
      `What answers at PUBLIC_URL (${String(answer.status)}) is no gateway of payments, or not its path.`,
      action,
    );
  }
  const where = isLoopback(publicUrl) ? ', which is this machine alone: the service must be on it too' : '';
  return passed(
    name,
    `A gateway answers at PUBLIC_URL${where}. Whether it does from outside, only a call from there shows.`,
  );
}

/** Whether each webhook can be connected to. Nothing is sent. */
export async function webhooksCheck(targets: readonly NotifyTarget[]): Promise<DoctorCheck> {
  const name = 'webhooks';
  if (targets.length === 0) return passed(name, 'There are no webhooks.');
  const faults = await Promise.all(
    targets.map(async (target) => ({ target: target.name, fault: await connectionFault(target.url) })),
  );
  const broken = faults.filter(({ fault }) => fault !== undefined);
  if (broken.length === 0) return passed(name, `Each of ${String(targets.length)} webhooks is reached.`);
  return failed(
    name,
    broken.map(({ target, fault }) => `The webhook ${target} is not reached (${fault ?? ''}).`).join(' '),
    'Correct its address in NOTIFY_TARGETS, or start it: notifications are tried again for three days.',
  );
}

/** Whether there is room where data is kept: by an embedded Temporal, else for temporary files. */
export async function diskCheck(dataDir: string | null): Promise<DoctorCheck> {
  const name = 'disk';
  const directory = dataDir ?? tmpdir();
  try {
    const { bavail, bsize } = await statfs(directory);
    const free = bavail * bsize;
    const seen = `${(free / 1e9).toFixed(1)} GB are free in ${directory}`;
    if (free >= leastFreeBytes) return passed(name, `${seen}.`);
    return failed(name, `${seen}, which is little.`, 'Make room: a full disk stops Temporal.');
  } catch (error) {
    return failed(
      name,
      `${directory} can’t be looked at (${codeOf(error)}).`,
      'Set DATA_DIR to a directory of this user.',
    );
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return 'code' in error ? String(error.code) : error.name;
}
