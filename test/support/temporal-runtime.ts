import { format } from 'node:util';
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** As it is before a test takes what a command line prints in this process. */
const write = process.stderr.write.bind(process.stderr);

/** Keeps the SDK's logs out of the tests' output, errors excepted; a runtime that is set up already stays. */
export function quietRuntime(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR', ({ level, message, meta }) => {
        write(`${format('[%s] %s %O', level, message, meta)}\n`);
      }),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
      shutdownSignals: [],
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}
