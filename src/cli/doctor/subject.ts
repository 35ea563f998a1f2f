import { ConfigError, loadConfig, processEnvironment, readGeneratedKeys } from '../../config.js';
import type { CliConfig, ServingConfig } from '../../config/settings.js';
import type { NotifyTarget } from '../../domain/notify-targets.js';
import { readEmbeddedState } from '../../dev/embedded-temporal/state-file.js';
import { plainTarget } from '../../temporal/connection.js';
import type { TemporalTarget } from '../../temporal/connection.js';
import type { KeyRing } from '../../temporal/key-ring.js';
import { failed, passed } from './check.js';
import type { DoctorCheck } from './check.js';

export const examinedRoles = ['start', 'gateway', 'worker'] as const;
export type ExaminedRole = (typeof examinedRoles)[number];

/** What is examined: as much of a process' configuration as can be read. */
export type Subject = {
  readonly temporal: TemporalTarget | null;
  readonly taskQueue: string;
  readonly payloadKeys: KeyRing | 'none' | null;
  /** Null when the sandbox of `start` is used, or when it can't be read. */
  readonly payments: ServingConfig['payments'] | null;
  /** Null where nobody outside is meant to reach it. */
  readonly publicUrl: string | null;
  readonly notifyTargets: readonly NotifyTarget[];
  /** Where an embedded Temporal keeps its data; null when it is someone else's. */
  readonly dataDir: string | null;
};

/** Reads the configuration as that process would; what is wrong with it is the first check. */
export async function subjectFrom(
  role: ExaminedRole | undefined,
): Promise<{ check: DoctorCheck; subject: Subject }> {
  const env = processEnvironment();
  const examined = role ?? guessedRole(env);
  try {
    const config = loadConfig(env, examined);
    const dataDir = 'dataDir' in config && config.temporal === 'embedded' ? config.dataDir : null;
    const payments = config.payments === 'sandbox' ? null : config.payments;
    return {
      check: passed('configuration', `All that ${examined} needs is set.`),
      subject: {
        ...{ taskQueue: config.taskQueue, payments, dataDir, notifyTargets: config.notifyTargets },
        temporal: config.temporal === 'embedded' ? await embeddedTarget(dataDir ?? '') : config.temporal,
        payloadKeys: config.payloadKeys ?? generatedKeys(dataDir),
        publicUrl: payments === null ? null : config.publicUrl,
      },
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const check = failed(
      'configuration',
      `${examined} would not start:\n${error.message}`,
      'Correct each of these; docs/configuration.md has all variables.',
    );
    return { check, subject: await whatTheCommandLineReads(env) };
  }
}

/** Gateways alone have API_KEYS; without an address, Temporal is the one of `start`. */
function guessedRole(env: ReturnType<typeof processEnvironment>): ExaminedRole {
  const isSet = (name: string) => env[name] !== undefined || env[`${name}_FILE`] !== undefined;
  if (!isSet('TEMPORAL_ADDRESS') && !isSet('TEMPORAL_PROFILE')) return 'start';
  return isSet('API_KEYS') ? 'gateway' : 'worker';
}

async function whatTheCommandLineReads(env: ReturnType<typeof processEnvironment>): Promise<Subject> {
  const nothing = { payments: null, publicUrl: null, notifyTargets: [], dataDir: null };
  let config: CliConfig;
  try {
    config = loadConfig(env, 'cli');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...nothing, temporal: null, taskQueue: '', payloadKeys: null };
  }
  const dataDir = config.temporal === 'embedded' ? config.dataDir : null;
  return {
    ...{ ...nothing, taskQueue: config.taskQueue, dataDir },
    payloadKeys: config.payloadKeys ?? generatedKeys(dataDir),
    temporal: config.temporal === 'embedded' ? await embeddedTarget(config.dataDir) : config.temporal,
  };
}

async function embeddedTarget(dataDir: string): Promise<TemporalTarget | null> {
  const state = await readEmbeddedState(dataDir);
  return state === null ? null : plainTarget(`127.0.0.1:${String(state.port)}`, state.namespace);
}

function generatedKeys(dataDir: string | null): KeyRing | 'none' | null {
  return dataDir === null ? null : (readGeneratedKeys(dataDir)?.payloadKeys ?? null);
}
