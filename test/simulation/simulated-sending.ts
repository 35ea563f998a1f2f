import type { SendOnceInput } from '../../src/contract/outcomes.js';
import {
  afterOutcome,
  type CreationOutcome,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import { halted, type Driver } from './driver.js';
import type { CallResult } from './simulated-call.js';
import type { Request } from './simulated-service.js';

/** How a lifecycle makes a creating call: by which request, which `perform` makes. */
export type RequestingCall = (
  perform: (request: Request) => Promise<CreationOutcome>,
  once: SendOnceInput,
) => Promise<CreationOutcome>;

/** Makes a creating call, and answers what may follow: from its outcome, or from there being none. */
export async function sendByDriver(
  driver: Driver,
  state: SubmissionState,
  doing: string,
  call: RequestingCall,
): Promise<Submitted> {
  const scheduledAt = driver.now();
  const once = {
    original_execution_run_id: '',
    rule_out_runs_before: null,
    rejected_generation: state.rejectedGeneration,
  };
  let lost: 'lost' | 'gateway_gone' | undefined;
  const outcome = await call(async (request) => {
    const result = await halted<CallResult>(driver, (go) => ({
      kind: 'call',
      doing,
      start: (done) => {
        driver.service.create(request, once, driver.isResetRun(), done);
      },
      go,
    }));
    if (result.outcome === 'answered' && result.read !== undefined)
      driver.service.showed('read', [result.read.shown]);
    if (result.outcome !== 'lost' && result.outcome !== 'gateway_gone') return result;
    lost = result.outcome;
    return { outcome: 'unknown', reason: '' };
  }, once);
  if (lost === 'gateway_gone')
    return { kind: 'card_gone', reason: 'The gateway that held the card is gone.' };
  if (lost === 'lost') {
    const verifyFrom = Math.max(driver.now(), scheduledAt + 75_000);
    return { kind: 'unknown', reason: 'The worker gave no answer.', verifyFrom, runWasReset: false };
  }
  return afterOutcome(outcome, state, driver.now(), driver.scale);
}
