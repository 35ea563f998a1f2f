import type { EndpointName } from '../../../src/dev/sandbox/endpoints.js';
import type { ArmedFaultInput } from '../../../src/dev/sandbox/faults.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import { listShows } from '../listed-payouts.js';

type Answer = ArmedFaultInput['fault'];

/** What the service does to the payment of a test, by default to that of this code. */
export function serviceOf(sandbox: Sandbox, code: string) {
  const answers = (endpoint: EndpointName, fault: Answer, { times = 1, of = code } = {}) => {
    // The list is that of all payouts.
    const whose = endpoint === 'GET /v1/payouts' ? {} : { partner_code: of };
    sandbox.fault({ endpoint, ...whose, times, fault });
  };
  return {
    /** Answers the next calls so; the work is done all the same, unless `effect` says otherwise. */
    answers,
    /** Answers every call so and does nothing, until it recovers. */
    fails: (endpoint: EndpointName, status = 503, of = code) => {
      answers(endpoint, { effect: 'none', status }, { times: 1_000_000, of });
    },
    /** Answers the next call 429, to be made again after so many seconds; does it all the same, or not. */
    throttles: (endpoint: EndpointName, seconds: number, effect: 'done' | 'none' = 'none', of = code) => {
      answers(endpoint, { effect, status: 429, headers: { 'retry-after': String(seconds) } }, { of });
    },
    /** Lists these payouts alone, whatever was made. */
    lists: (...payouts: object[]) => {
      listShows(sandbox, ...payouts);
    },
    /** Answers as usual again. */
    recovers: () => {
      sandbox.clearFaults();
    },
    /** Shows the payment in this status. */
    shows: (status: string, of = code) => {
      const isOrder = sandbox.ledger(of).orders.length > 0;
      if (isOrder) sandbox.setOrderStatus(of, status);
      else sandbox.setPayoutStatus(of, status);
    },
  };
}

export type Service = ReturnType<typeof serviceOf>;
