import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Keeps the SDK's logs out of the tests' output, errors excepted; a runtime that is set up already stays. */
export function quietRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
      shutdownSignals: [],
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}
