import type { RequestRefundInput, RequestRefundResult } from '../../activities/request-refund.js';
import type { OrderReading } from '../../src/contract/outcomes.js';
import type { RefundInput } from '../../src/contract/refund.js';
import type { Read } from '../../src/domain/called.js';
import { allowsRequest } from '../../src/domain/refund-proofs.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { RefundPayment } from '../../workflows/refund/payment.js';
import { Violation } from '../simulation/violation.js';
import { lives } from '../support/lives.js';
import { LifecycleModel, type LifecycleBounds } from './lifecycle-model.js';
import { isReset, runId, type RunFacts, type SentCommand, type Step, type World } from './world.js';
import { failedBy, inResetRun } from './failed-calls.js';
import { noSuchCalls, nothing } from './no-such-calls.js';
import type { Answers } from './answers.js';

/** What is explored: so many changes of the order at the service. */
type RefundBounds = LifecycleBounds & { readonly changes: number };

type Status = 'paid' | 'refund_processing' | 'refunded' | 'refund_failed' | 'chargeback' | 'refunding';
const statuses: readonly Status[] = [
  ...(['paid', 'refund_processing', 'refunded', 'refund_failed', 'chargeback', 'refunding'] as const),
];

/** The order to refund, as the service has it. */
type Service = {
  status: Status;
  /** What reads may still show; null once one has shown the present status. */
  late: Status | null;
  /** What a read showed last. */
  shown: Status | null;
  changes: number;
  /** A refund is queued or done. */
  isQueued: boolean;
  /** Somebody has stated since that none is queued. */
  isDenied: boolean;
  /** Nothing was reset since an operator has last had it requested. */
  mayRequest: boolean;
  /** A read has shown it in this step. */
  isRead: boolean;
};

type RefundStep = Step<RefundPayment, Service>;

const serviceId = '7001';
const input: RefundInput = { partner_code: 'explored', service_id: serviceId, value: 150.25 };

/** The refund of one order. */
export class RefundModel extends LifecycleModel<RefundPayment, Service> {
  protected readonly workflowId = `refund-${serviceId}`;
  protected readonly build = lives.refund;

  constructor(private readonly most: RefundBounds) {
    super(most);
  }

  protected input(): RefundInput {
    return input;
  }

  protected firstServices(): Service[] {
    const known = { isQueued: false, isDenied: false, mayRequest: true, isRead: false };
    return [{ status: 'paid', late: null, shown: null, changes: 0, ...known }];
  }

  protected copy(service: Service): Service {
    return { ...service, isRead: false };
  }

  /** What the runs before had read is not known any more. */
  protected wasSetBack(service: Service): void {
    Object.assign(service, { shown: null, mayRequest: false });
  }

  protected known({ data, record }: RefundPayment): string {
    return `${data.phase} ${record.status}, ${String(data.requests)} requests`;
  }

  protected commands(): SentCommand<Service>[] {
    return [
      {
        ...{ name: 'retryRefund', message: {} },
        executed: (service) => {
          service.mayRequest = true;
        },
      },
      {
        name: 'retryRefund',
        message: { nothing_queued: true },
        executed: (service) => {
          Object.assign(service, { isDenied: true, mayRequest: true });
        },
      },
      { name: 'resolveRefund', message: { outcome: 'refunded' } },
      { name: 'resolveRefund', message: { outcome: 'not_refunded' } },
    ];
  }

  /** The order moves at the service. Only what is queued is refunded here; others may have it refunded, or charged back. */
  protected *changes({ service }: World<Service>): Iterable<{ name: string; service: Service }> {
    if (service.changes >= this.most.changes) return;
    for (const status of statuses) {
      const isPossible = status === 'chargeback' || status === 'refunding' || service.isQueued;
      if (status === service.status || !isPossible) continue;
      const isQueued = service.isQueued && status !== 'refund_failed';
      const changes = service.changes + 1;
      yield {
        name: `the order is ${status}`,
        service: { ...service, status, late: service.status, changes, isQueued },
      };
    }
  }

  protected answers(step: RefundStep): Answers {
    const { seesReset } = step;
    return {
      ...nothing,
      calls: { ...noSuchCalls, requestRefund: (request) => Promise.resolve(requested(step, request)) },
      readOrder: () => read(step),
      wasReset: () => seesReset,
    };
  }

  /** What was read last stands above what anybody believed. */
  protected check({ data, record }: RefundPayment, { isQueued, shown }: Service, run: RunFacts): void {
    const { status } = record;
    if (shown === 'refunded' && !['refunded', 'resolved'].includes(status)) {
      throw new Violation('a refund that was seen is shown', `the refund is ${status}`);
    }
    const isMoving = shown === 'refund_processing' || shown === 'refunded';
    if (record.needsOperatorFor('refund_failed') && isMoving) {
      throw new Violation(
        'no statement on money that is not proven',
        `refund_failed, and the order is ${shown}`,
      );
    }
    // A run that came about by a reset knows of none before its next read.
    const isKnown = !isReset(run) || record.data.resetRunId === runId(run.id);
    if ((status === 'cancelled' || data.problems !== null) && isQueued && isKnown) {
      throw new Violation(
        'no statement on money that is not proven',
        `${status} as unsent, and a refund is queued`,
      );
    }
  }
}

/** What a request that was taken makes of the order. */
const moving = { isQueued: true, isDenied: false, status: 'refund_processing' };

const outcomes = [
  ...(['taken', 'taken, and it failed', 'refused', 'unknown, without effect', 'unknown, and taken'] as const),
  ...(['not sent', 'not usable', 'throttled'] as const),
] as const;

function read({ choices, service }: RefundStep): Read<OrderReading> {
  const { late } = service;
  const way = choices.pick(late === null ? ['read', 'not found'] : ['read', 'an old read', 'not found']);
  if (way === 'not found') return { kind: 'not_found' };
  const isOld = way === 'an old read' && late !== null;
  const status = isOld ? late : service.status;
  Object.assign(service, { shown: status, late: isOld ? late : null, isRead: true });
  return {
    kind: 'read',
    reading: { service_id: serviceId, status, partner_code: 'explored', value_centavos: 15_025 },
  };
}

/** As the activity does: reads first, and sends what the rule allows. */
function requested(step: RefundStep, request: RequestRefundInput): RequestRefundResult {
  const { previous_failure: previousFailure, right_centavos: rightCentavos } = request;
  if (step.seesReset) return inResetRun;
  const order = { read: read(step), read_at: new Date(0).toISOString() };
  const wanted = { partnerCode: input.partner_code, previousFailure, rightCentavos, serviceId };
  const isAllowed = order.read.kind === 'read' && allowsRequest(wanted, order.read.reading);
  return isAllowed
    ? { ...sent(step), order }
    : { outcome: 'not_sent', reason: 'The reading speaks against it.', order };
}

function sent({ choices, service }: RefundStep): CreationOutcome {
  const outcome = choices.pick(outcomes);
  if (outcome === 'not usable')
    return { outcome: 'invalid_input', problems: [{ field: 'value', message: 'is another' }] };
  if (outcome === 'not sent' || outcome === 'throttled') return failedBy(outcome);
  if (!service.mayRequest) {
    throw new Violation('after a reset an operator decides before anything is sent', outcome);
  }
  if (!service.isRead) throw new Violation('a read comes before each request', outcome);
  if (service.isQueued && !service.isDenied) {
    throw new Violation('an order is not refunded twice', 'a refund is queued, and nobody has denied it');
  }
  if (service.shown !== null && !['paid', 'refund_failed'].includes(service.shown)) {
    throw new Violation('an order is not refunded twice', `it was read as ${service.shown}`);
  }
  const isTaken = outcome === 'taken' || outcome === 'unknown, and taken';
  if (isTaken) Object.assign(service, { ...moving, late: service.status });
  switch (outcome) {
    case 'taken':
      return { outcome: 'answered', service_id: serviceId, status: null };
    case 'taken, and it failed':
      return { outcome: 'answered', service_id: serviceId, status: 'refund_failed' };
    default:
      return failedBy(outcome);
  }
}
