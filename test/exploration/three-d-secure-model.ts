import type { ThreeDSecureOrderInput } from '../../src/contract/order.js';
import { spans } from '../../src/domain/cadence.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { ThreeDSecurePayment } from '../../workflows/order/three-d-secure-payment.js';
import { card, customer } from '../simulation/lifecycles.js';
import { Violation } from '../simulation/violation.js';
import { lives } from '../support/lives.js';
import { isReset, type RunFacts, type SentCommand, type Step, type Waiting, type World } from './world.js';
import { order, OrderModel, type OrderService } from './order-model.js';
import type { Answers } from './answers.js';
import { failedBy, inResetRun } from './failed-calls.js';

/** What the service has of a 3D Secure order, and of its completion. */
type Service = OrderService & {
  isCompleted: boolean;
  /** A completion has left, nobody knows whether it was taken, and nobody has found out since. */
  isUnknown: boolean;
  /** A completion has left in this run, or in one that it goes on from. */
  hasLeft: boolean;
  /** A completion was not sent when it was asked for, and has not been since. */
  isPutOff: boolean;
  /** A read has shown the order in this step. */
  isRead: boolean;
  /** The last reset went back to before a completion was sent, and nobody has found out since. */
  mayHaveLeft: boolean;
};

type SecuredStep = Step<ThreeDSecurePayment, Service>;

/** A 3D Secure order, from its opening to its completion with a card. */
export class ThreeDSecureModel extends OrderModel<ThreeDSecurePayment, Service> {
  protected readonly build = lives.threeDSecureOrder;
  /** At once, and once its time is over. */
  protected override readonly resetsAfterMs = [0, 2 * spans.authenticationMs];

  protected firstServices(): Service[] {
    const completion = {
      ...{ isCompleted: false, isUnknown: false, hasLeft: false },
      ...{ isPutOff: false, isRead: false, mayHaveLeft: false },
    };
    return [{ held: [], isSent: false, isDenied: false, ...completion }];
  }

  protected copy(service: Service): Service {
    return { ...service, held: [...service.held], isRead: false };
  }

  protected input(): ThreeDSecureOrderInput {
    return { order, customer, watch_days: 1 };
  }

  protected override known(payment: ThreeDSecurePayment): string {
    return `${super.known(payment)} ${payment.data.completion.phase}`;
  }

  protected override commands(payment: ThreeDSecurePayment, service: Service): SentCommand<Service>[] {
    const found = (each: SentCommand<Service>): SentCommand<Service> => ({
      ...each,
      executed: (now, fail) => {
        each.executed?.(now, fail);
        if (each.name !== 'resolveSubmission') return;
        now.isUnknown = false;
        now.mayHaveLeft = false;
        if (!('service_id' in each.message)) now.isCompleted = false;
      },
    });
    return [
      ...super.commands(payment, service).map(found),
      {
        name: 'completeThreeDSecure',
        message: { callback: 'callback', eci: '05', card },
        executed: (now, fail) => {
          if (now.hasLeft && !now.isRead)
            fail(new Violation('a read comes before a completion that is begun again', 'none was made'));
          now.isPutOff = false;
        },
      },
    ];
  }

  protected override wasSetBack(service: Service, before: Waiting): void {
    super.wasSetBack(service, before);
    service.mayHaveLeft = ['complete', 'await_card'].includes(before.stage);
    // Of what runs before have sent nothing is known but by a look at the order.
    service.hasLeft = false;
  }

  /** The runs before a reset may have completed it: until that is found out, or a read shows more, it is not open. */
  protected override check(payment: ThreeDSecurePayment, service: Service, run: RunFacts): void {
    super.check(payment, service, run);
    const { data, record } = payment;
    const isCalledOpen = data.completion.phase === 'open' && record.status === 'awaiting_authentication';
    if (isReset(run) && service.mayHaveLeft && isCalledOpen) {
      throw new Violation('what may have been taken is not called unsent', record.status);
    }
  }

  /** Nobody pays an order that was not completed. */
  protected override *changes(world: World<Service>) {
    if (world.service.isCompleted) yield* super.changes(world);
  }

  protected override answers(step: SecuredStep): Answers {
    const answers = super.answers(step);
    return {
      ...answers,
      readOrder: (id) => {
        const read = answers.readOrder(id);
        step.service.isRead ||= read.kind === 'read';
        return read;
      },
      calls: {
        ...answers.calls,
        createThreeDSecureOrder: () => Promise.resolve(this.created(step, false)),
        completeThreeDSecureOrder: () => Promise.resolve(completed(step)),
      },
    };
  }
}

const outcomes = [
  ...(['taken', 'refused', 'unknown, without effect', 'unknown, and taken'] as const),
  ...(['not sent', 'throttled', 'card gone'] as const),
] as const;

function completed({ choices, seesReset, service }: SecuredStep): CreationOutcome {
  if (seesReset) return inResetRun;
  const outcome = choices.pick(outcomes);
  if (outcome === 'card gone') return failedBy(outcome);
  if (service.isPutOff && !service.isRead) {
    throw new Violation('a read comes before a completion that was put off', outcome);
  }
  service.isPutOff = outcome === 'not sent' || outcome === 'throttled';
  if (outcome === 'not sent') return failedBy(outcome);
  if (outcome === 'throttled') return { outcome: 'throttled', reason: '429', retry_after_ms: 600_000 };
  service.hasLeft = true;
  if (service.isUnknown)
    throw new Violation('a completion is sent once', 'the outcome of another is unknown');
  if (service.isCompleted) throw new Violation('a completion is sent once', 'another was taken');
  const moved = service.held.find(({ shown }) => shown !== null && shown !== 'waiting_payment');
  if (moved !== undefined)
    throw new Violation('what has moved is not completed', `it was read as ${String(moved.shown)}`);
  if (outcome === 'taken' || outcome === 'unknown, and taken') service.isCompleted = true;
  if (outcome === 'taken') {
    return { outcome: 'answered', service_id: service.held[0]?.id ?? null, status: null };
  }
  service.isUnknown = outcome !== 'refused';
  return failedBy(outcome);
}
