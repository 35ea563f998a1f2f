import type { LogLevel, LogMetadata } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import { z } from 'zod';
import { createAuditLog, type AuditLog } from '../audit/audit-log.js';
import { lineFile } from '../audit/line-file.js';
import { askAgain } from '../domain/ask-again.js';
import { temporalAudit, type TemporalAudit } from '../domain/temporal-audit.js';
import type { SdkMetrics } from '../metrics/sdk-metrics.js';
import type { Logger } from './logger.js';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** What of the SDK's own words about an entry is written; anything else might come from a payload. Of an error, what `createLogger` lets through. */
const written = [
  'sdkComponent',
  'namespace',
  'taskQueue',
  'workflowType',
  'workflowId',
  'runId',
  'activityType',
  'activityId',
  'attempt',
  'durationMs',
  'state',
] as const;

const reported: z.ZodType<TemporalAudit & { workflowId: string }> = z.object({
  ...{ workflowId: z.string(), by: z.string().optional() },
  ...{ command: z.string(), outcome: z.string(), value: z.number().optional() },
  ...{ payee: z.string().optional(), payee_before: z.string().optional() },
});

/** Logged of each worker that has one kind of task alone, as those of ours have by design. */
const byDesign = /^No (workflows|activities|Nexus services) registered/;

/**
 * Gives the SDK our log, has it export its metrics where they are wanted, and leaves signals to us. What workflows report
 * goes to the audit stream: to a file, or to standard output. Once a process, before anything of the SDK is used.
 */
export function installTemporalRuntime(logger: Logger, metrics?: SdkMetrics, auditFile?: string): void {
  const sdk = logger.child({ source: 'temporal' });
  const audit = createAuditLog(auditFile === undefined ? undefined : lineFile(auditFile));
  const log = (level: LogLevel, message: string, meta?: LogMetadata) => {
    if (message === temporalAudit) {
      writeAudit(audit, meta);
      return;
    }
    sdk[byDesign.test(message) || isAskAgain(meta) ? 'debug' : levels[level]](entry(meta), message);
  };
  Runtime.install({
    logger: {
      log,
      trace: (message, meta) => log('TRACE', message, meta),
      debug: (message, meta) => log('DEBUG', message, meta),
      info: (message, meta) => log('INFO', message, meta),
      warn: (message, meta) => log('WARN', message, meta),
      error: (message, meta) => log('ERROR', message, meta),
    },
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metrics === undefined ? {} : { metrics: metrics.exporter }),
    },
    shutdownSignals: [],
  });
}

/** What came to a workflow by Temporal, from whomever: of a command through the gateway it is the second line. */
function writeAudit(audit: AuditLog, meta: unknown): void {
  const { workflowId, by = null, ...what } = reported.parse(meta);
  audit({ key: by, address: 'temporal', workflow_id: workflowId, ...what });
}

/** Who asked too early asks again: that is no fault of a worker. */
function isAskAgain({ error, failure }: Readonly<Record<string, unknown>> = {}): boolean {
  return [error, failure].some((cause) => String(cause).includes(askAgain));
}

function entry(meta: Readonly<Record<string, unknown>> = {}): object {
  const kept = written.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]] as const]));
  const { error } = meta;
  return { ...Object.fromEntries(kept), ...(error === undefined ? {} : { error }) };
}
