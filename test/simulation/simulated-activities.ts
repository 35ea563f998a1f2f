import type { SendOnceInput } from '../../src/contract/outcomes.js';
import { refundInput } from '../../src/contract/refund.js';
import type { Called, Read } from '../../src/domain/called.js';
import { allowsRequest } from '../../src/domain/refund-proofs.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { CallName, InputOf, ResultOf } from '../../workflows/shared/engine.js';
import type { Driver } from './driver.js';
import {
  completionRequest,
  orderRequest,
  payoutRequest,
  refundRequest,
  validationRequest,
} from './requests.js';
import type { CallResult } from './simulated-call.js';
import type { Request } from './simulated-service.js';

/** A call: how it is made, and what is known once the lifecycle has its answer, in a replay as well. */
type Activity<Result> = {
  readonly start: (done: (called: Called<Result>) => void) => void;
  readonly seen?: (called: Called<Result>) => void;
};

export type SimulatedActivities = {
  readonly [Name in CallName]: (input: InputOf<Name>) => Activity<ResultOf<Name>>;
};

/** A scan of a long list goes on for so long. */
const slowScanMs = 120_000;

/** What becomes of each call, by the plan. How long it took the engine knows. */
export function simulatedActivities(driver: Driver, runId: string): SimulatedActivities {
  const { service } = driver;
  const later = (upToMs: number, act: () => void) => {
    service.clock.after(5 + driver.random() * upToMs, act);
  };
  const answered = <Result>(upToMs: number, result: () => Called<Result>): Activity<Result> => ({
    start: (done) => {
      later(upToMs, () => {
        done(result());
      });
    },
  });
  const inRun = <Reading>(read: Read<Reading>): Called<Reading & { reset_run_id?: string }> =>
    read.kind === 'read'
      ? completed({ ...read.reading, ...(driver.isResetRun() && { reset_run_id: runId }) })
      : failed(read.kind === 'not_found' ? 'NotFound' : 'Unreadable');
  const created = (request: Request, once: SendOnceInput): Activity<CreationOutcome> => ({
    start: (done) => {
      service.create(request, once, driver.isResetRun(), (result) => {
        done(calledOf(result));
      });
    },
    seen: (called) => {
      if (called.kind !== 'completed' || called.result.outcome !== 'answered') return;
      const { read } = called.result;
      if (read !== undefined) service.showed('read', [read.shown]);
    },
  });
  /** As the activity does: reads first, and sends what the rule allows. */
  const requested = (request: InputOf<'requestRefund'>): Activity<ResultOf<'requestRefund'>> => {
    const { partner_code: partnerCode, service_id: serviceId } = refundInput.parse(request.input);
    const sends = created(refundRequest(serviceId), request);
    const wanted = {
      ...{ partnerCode, serviceId },
      previousFailure: request.previous_failure,
      rightCentavos: request.right_centavos,
    };
    return {
      start: (done) => {
        if (driver.isResetRun()) {
          sends.start(done);
          return;
        }
        later(400, () => {
          const read = service.readOrder(serviceId);
          const order = { read, read_at: new Date(service.clock.now).toISOString() };
          const isAllowed = read.kind === 'read' && allowsRequest(wanted, read.reading);
          if (!isAllowed) done(completed({ outcome: 'not_sent', reason: 'not allowed', order }));
          else
            sends.start((called) => {
              done(called.kind === 'completed' ? completed({ ...called.result, order }) : called);
            });
        });
      },
    };
  };
  const ownerOf = (serviceId: string) =>
    serviceId === service.foreign.id || serviceId === service.foreignOrder.id ? 'payout-another' : null;
  return {
    createPixPayout: (input) => created(payoutRequest(input), input),
    createTransferPayout: (input) => created(payoutRequest(input), input),
    createCheckout: (input) => created(orderRequest('checkout', input.order), input),
    createThreeDSecureOrder: (input) => created(orderRequest('3ds', input.order), input),
    createCardOrder: (input) => created(orderRequest('card', input.order), input),
    completeThreeDSecureOrder: (input) => created(completionRequest(input.service_id), input),
    requestRefund: (input) => requested(input),
    validateAccount: (input) => created(validationRequest(input.validation), input),
    readPayout: ({ service_id }) => ({
      ...answered(400, () => inRun(service.readPayout(service_id))),
      seen: (called) => {
        if (called.kind === 'completed') service.showed('read', [called.result]);
      },
    }),
    readOrder: ({ service_id }) => answered(400, () => inRun(service.readOrder(service_id))),
    readThreeDSecureToken: () => answered<ResultOf<'readThreeDSecureToken'>>(400, () => failed('Unreadable')),
    findPayouts: (target) => {
      const scanned = () => {
        const found = service.scan(target);
        return found === undefined
          ? failed('Unreadable')
          : completed({ found: [...found], pages: 1, records: found.length });
      };
      const slow: Activity<ResultOf<'findPayouts'>> = {
        start: (done) => {
          const begun = scanned();
          later(slowScanMs, () => {
            done(begun);
          });
        },
      };
      return {
        ...(service.plan.slowList === true ? slow : answered(5_000, scanned)),
        seen: (called) => {
          if (called.kind === 'completed') service.showed('list', called.result.found);
        },
      };
    },
    claimIdentifier: ({ service_id, workflow_id }) =>
      answered(13_000, () => completed({ workflow_id: ownerOf(service_id) ?? workflow_id })),
    findOwner: ({ service_id }) => answered(100, () => completed({ workflow_id: ownerOf(service_id) })),
    readTimeout: () => answered<ResultOf<'readTimeout'>>(100, () => completed({ timed_out_after_ms: null })),
    checkInput: () => answered<ResultOf<'checkInput'>>(20, () => completed({ problems: [] })),
    checkRun: () => answered(20, () => completed({ is_reset: driver.isResetRun() })),
  };
}

function completed<Result>(result: Result): Called<Result> {
  return { kind: 'completed', result, tookMs: 0 };
}

function failed(type: string): Called<never> {
  return { kind: 'failed', type, message: '503', tookMs: 0 };
}

function calledOf(result: CallResult): Called<CreationOutcome> {
  switch (result.outcome) {
    case 'lost':
      return { kind: 'timed_out', how: 'no_answer', heartbeat: result.heartbeat, tookMs: 0 };
    case 'never_started':
      return { kind: 'timed_out', how: 'never_started', heartbeat: undefined, tookMs: 0 };
    default:
      return completed(result);
  }
}
