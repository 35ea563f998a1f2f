import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { privateDirectory } from '../../config/private-directory.js';
import { environmentToRun } from './environment-of.js';
import { locateTemporal } from './locate.js';
import { choosePorts, hiddenUiAddress } from './ports.js';
import type { IsBindable } from './ports.js';
import type { OnProgress } from './progress.js';
import { writeEmbeddedState } from './state-file.js';
import { startSupervised } from './supervised-process.js';
import type { SupervisedProcess } from './supervised-process.js';
import { endLeftoverServer } from './take-over.js';
import { startWebUi, webUiCodec } from './web-ui.js';
import type { WebUi, WebUiOptions } from './web-ui.js';

const LOOPBACK = '127.0.0.1';
const DATABASE = 'temporal.db';
const MAX_TRIES = 5;
const RETENTION = '30 days';
const START_TIMEOUT_MS = 60_000;
const PROBE_INTERVAL_MS = 100;

// Measured on 2 cores: twice the throughput and a quarter of the latency of the development server's defaults.
const TUNING = [
  ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
  ...['--dynamic-config-value', 'matching.numTaskqueueReadPartitions=1'],
  ...['--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1'],
];
// Later servers have it: what has priority is handed out first (src/domain/priorities.ts).
const PRIORITIES = ['--dynamic-config-value', 'matching.useNewMatcher=true'];
// Whatever a web page or another user sends to the HTTP API, which would start workflows without asking for a key, is
// refused: no Host header can be this one. Everything that is ours speaks gRPC.
const NO_HTTP_API = ['--dynamic-config-value', 'frontend.httpAllowedHosts=["none of them"]'];
// A killed process loses nothing with these; a power failure may lose the last moments.
const DURABILITY = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];

export type EmbeddedTemporalOptions = {
  /** Where the database lives, or `memory` for one that ends with the server. */
  readonly storage: { readonly dataDir: string } | 'memory';
  /** Left out: the port of the last time, else Temporal's usual one when free, else any. */
  readonly port?: number;
  readonly uiPort?: number;
  /** Without it there is no Web UI; nor where Temporal's own would have to be at 127.0.0.1. */
  readonly webUi?: Pick<WebUiOptions, 'token' | 'codecUrl'>;
  /** Left out: whether the system lets a program listen there. */
  readonly isBindable?: IsBindable;
  readonly namespace?: string;
  /** Further settings of the server, by their names. */
  readonly dynamicConfig?: Readonly<Record<string, string>>;
  /** Where programs are looked for, and nothing of Temporal's own settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: OnProgress;
};

/** A Temporal of our own, on the loopback interface. */
export type EmbeddedTemporal = {
  readonly address: string;
  /** What opens a page of the Web UI; null without one. */
  readonly webUiLink: WebUi['link'] | null;
  readonly namespace: string;
  readonly pid: number;
  /** Resolves with the server's last output should it end without {@link stop}. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts a Temporal that lives exactly as long as this process and keeps its data in `storage`. Gets the program
 * first when it is not there, which can take minutes the first time. Resolves when the server answers.
 *
 * @throws TemporalUnavailableError, DataDirInUseError, or an Error with the server's last output.
 */
export async function startEmbeddedTemporal(options: EmbeddedTemporalOptions): Promise<EmbeddedTemporal> {
  const onProgress = options.onProgress ?? (() => undefined);
  const program = await prepare(options, onProgress);
  for (let tries = 1; ; tries += 1) {
    try {
      return await startProgram(program, options, onProgress);
    } catch (error) {
      if (!wasTakenMeanwhile(error) || tries === MAX_TRIES) throw error;
      onProgress('a port was taken in the meantime by another program');
    }
  }
}

/** A port can be taken between its choice and its use: by others who start at the same moment. */
function wasTakenMeanwhile(error: unknown): boolean {
  return error instanceof Error && error.message.includes('address already in use');
}

async function prepare({ storage, env }: EmbeddedTemporalOptions, onProgress: OnProgress): Promise<string> {
  if (storage !== 'memory') {
    const dataDir = resolve(storage.dataDir);
    privateDirectory(dataDir);
    await endLeftoverServer(dataDir, join(dataDir, DATABASE));
  }
  return locateTemporal(env, onProgress);
}

async function startProgram(
  program: string,
  options: EmbeddedTemporalOptions,
  onProgress: OnProgress,
): Promise<EmbeddedTemporal> {
  const namespace = options.namespace ?? 'default';
  const dataDir = options.storage === 'memory' ? null : resolve(options.storage.dataDir);
  const databaseFile = dataDir === null ? null : join(dataDir, DATABASE);
  const { port, uiPort } = await choosePorts(options, dataDir);
  const ownUi = await ownUiOf(options, onProgress);
  const log = dataDir === null ? null : createWriteStream(join(dataDir, 'temporal.log'));
  const args = [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)],
    ...(ownUi === null ? ['--headless'] : ['--ui-ip', ownUi.host, '--ui-port', String(ownUi.port)]),
    ...(typeof ownUi?.codecUrl === 'string' ? ['--ui-codec-endpoint', webUiCodec(uiPort)] : []),
    ...[
      '--namespace',
      namespace,
      ...TUNING,
      ...PRIORITIES,
      ...NO_HTTP_API,
      ...dynamicConfigArguments(options.dynamicConfig),
    ],
    ...(databaseFile === null ? [] : ['--db-filename', databaseFile, ...DURABILITY]),
  ];
  onProgress(`starting Temporal on port ${String(port)}`);
  const announced = watchFor(/^(Temporal )?Server:/m);
  const server = await startSupervised(program, args, environmentOf(options.env), (text) => {
    log?.write(text);
    announced.read(text);
  });
  void server.ended.then(() => log?.end());
  if (dataDir !== null) {
    await writeEmbeddedState(dataDir, {
      ...{ owner_pid: process.pid, server_pid: server.pid },
      ...{ port, ui_port: uiPort, namespace },
    });
  }
  const address = `${LOOPBACK}:${String(port)}`;
  try {
    await untilReady(server, address, namespace, announced.seen);
    const upstream = `http://${ownUi?.host ?? ''}:${String(ownUi?.port)}`;
    const webUi = ownUi === null ? null : await startWebUi({ ...ownUi, port: uiPort, upstream });
    return handle(server, webUi, { address, namespace });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Temporal's own Web UI, at an address of its own; null without one. */
async function ownUiOf({ webUi, isBindable }: EmbeddedTemporalOptions, onProgress: OnProgress) {
  if (webUi === undefined) return null;
  const hidden = await hiddenUiAddress(isBindable);
  if (hidden !== null) return { ...webUi, ...hidden };
  onProgress(
    'there is no Web UI: this system has no loopback address but 127.0.0.1, where any page and user could use it',
  );
  return null;
}

function handle(
  server: SupervisedProcess,
  webUi: WebUi | null,
  where: Pick<EmbeddedTemporal, 'address' | 'namespace'>,
): EmbeddedTemporal {
  let stopping = false;
  return {
    ...where,
    pid: server.pid,
    webUiLink: webUi?.link ?? null,
    failed: new Promise((report) => {
      void server.ended.then((lastOutput) => {
        if (!stopping) report(lastOutput);
      });
    }),
    stop: async () => {
      stopping = true;
      await webUi?.close();
      await server.stop();
    },
  };
}

async function untilReady(
  server: SupervisedProcess,
  address: string,
  namespace: string,
  announced: Promise<void>,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const ended = server.ended.then((lastOutput) => {
    throw new Error(`Temporal ended while it was starting. Its last output: ${lastOutput}`);
  });
  // Only its own output shows that it is this server, and not another one on the same port, that will answer.
  await Promise.race([ended, announced, sleep(START_TIMEOUT_MS, undefined, { ref: false })]);
  for (;;) {
    try {
      return await Promise.race([ended, setUp(address, namespace)]);
    } catch (error) {
      if (Date.now() > deadline) throw new Error('Temporal did not answer in time.', { cause: error });
      await Promise.race([ended, sleep(PROBE_INTERVAL_MS)]);
    }
  }
}

/** Resolves once what was read holds the pattern. */
function watchFor(pattern: RegExp): { seen: Promise<void>; read: (text: string) => void } {
  let read: (text: string) => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    let all = '';
    read = (text) => {
      all = (all + text).slice(-10_000);
      if (pattern.test(all)) resolve();
    };
  });
  return { seen, read };
}

async function setUp(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  try {
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION) },
    });
  } finally {
    await connection.close();
  }
}

/** Temporal's own settings would mean some other Temporal. */
function environmentOf(env: EmbeddedTemporalOptions['env']): Record<string, string> {
  // It collects its garbage a quarter as often: for some memory it needs a tenth less of the processor.
  return { ...environmentToRun(env), GOGC: '400' };
}

function dynamicConfigArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]);
}
