import { inFlight } from '../../in-flight.mjs';
import { quickScale } from '../processes.mjs';

export const atOnce = 60;
/** Closed as soon as it is done, so that its end can be waited for. */
export const closing = { watch_days: 0 };
export const firstReadMs = 5_000 * quickScale;
export const silent = ['postback-silent'];

/** Runs one lifecycle many times at once; answers the workflow ids. */
export const throughput = (name, title, once) => ({
  name,
  title,
  run: async (bench, { payments }) => {
    const { answers } = await inFlight(payments, atOnce, () => once(bench));
    return { count: payments, workflowIds: answers };
  },
});
