import { ApplicationFailure } from '@temporalio/common';
import type { OrderReading, PayoutReading } from '../../src/contract/outcomes.js';
import type { Read } from '../../src/domain/called.js';
import type { Scan, ScanTarget } from '../../workflows/shared/context.js';
import type { Activities } from '../support/called.js';

/** The creating calls of a lifecycle. */
export type Calls = Omit<
  Activities,
  | 'readPayout'
  | 'readOrder'
  | 'readThreeDSecureToken'
  | 'findPayouts'
  | 'claimIdentifier'
  | 'findOwner'
  | 'readTimeout'
  | 'checkInput'
  | 'checkRun'
>;

/** What a model answers to the calls of a lifecycle; no call takes any time. */
export type Answers = {
  readonly calls: Calls;
  readPayout(serviceId: string): Read<PayoutReading>;
  readOrder(serviceId: string): Read<OrderReading>;
  scan(target: ScanTarget): Scan;
  /** Undefined when our own payments can't be searched. */
  ownerOf(serviceId: string): string | null | undefined;
  wasReset(): boolean;
};

/** The activities that answer so. */
export function activitiesOf(answers: Answers, runId: string): Activities {
  const reading = async <Reading>(read: Read<Reading>) => {
    if (read.kind === 'read') {
      return Promise.resolve({ ...read.reading, ...(answers.wasReset() && { reset_run_id: runId }) });
    }
    const [type, message] = read.kind === 'not_found' ? ['NotFound', '404'] : ['Unreadable', read.reason];
    throw failure(type, message);
  };
  const searched = (serviceId: string) => {
    const owner = answers.ownerOf(serviceId);
    if (owner === undefined) throw failure('TemporalUnavailable', 'Temporal failed.');
    return owner;
  };
  return {
    ...answers.calls,
    readPayout: ({ service_id }) => reading(answers.readPayout(service_id)),
    readOrder: ({ service_id }) => reading(answers.readOrder(service_id)),
    readThreeDSecureToken: () => Promise.reject(failure('Unreadable', '503')),
    findPayouts: async (target) => {
      const found = answers.scan(target);
      if (found === undefined) throw failure('Unreadable', '503');
      return Promise.resolve({ found: [...found], pages: 1, records: found.length });
    },
    claimIdentifier: async ({ service_id, workflow_id }) =>
      Promise.resolve({ workflow_id: searched(service_id) ?? workflow_id }),
    findOwner: async ({ service_id }) => Promise.resolve({ workflow_id: searched(service_id) }),
    readTimeout: () => Promise.resolve({ timed_out_after_ms: null }),
    checkInput: () => Promise.resolve({ problems: [] }),
    checkRun: () => Promise.resolve({ is_reset: answers.wasReset() }),
  };
}

function failure(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message });
}
