import { programName, programVersion } from '../config/program-version.js';
import { noTracing } from '../tracing/tracing.js';
import type { Tracing } from '../tracing/tracing.js';
import type { Logger } from './logger.js';

/** Traces by OpenTelemetry where the configuration asks for them; else its SDK is not even loaded. */
export async function startTracing(wanted: boolean, logger: Logger): Promise<Tracing> {
  if (!wanted) return noTracing;
  const { openTelemetry } = await import('../tracing/open-telemetry.js');
  return openTelemetry({ name: programName, version: programVersion() }, (now) => {
    if (now === 'lost')
      logger.warn('the collector does not take our spans: they are lost, payments are not affected');
    else logger.info('the collector takes our spans again');
  });
}
