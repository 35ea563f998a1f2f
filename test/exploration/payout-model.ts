import type { PayoutInput } from '../../src/contract/payout.js';
import type { PayoutPayment } from '../../workflows/payout/payment.js';
import { Violation } from '../simulation/violation.js';
import { lives } from '../support/lives.js';
import { LifecycleModel, type LifecycleBounds } from './lifecycle-model.js';
import { noSuchCalls, nothing } from './no-such-calls.js';
import {
  createPayout,
  isMoving,
  partnerCode,
  payoutStatuses,
  readPayout,
  scanPayouts,
  value,
  type HeldPayout,
  type PayoutService,
  type PayoutStep,
} from './payout-service.js';
import type { Answers } from './answers.js';
import { isReset, type RunFacts, type SentCommand, type Waiting, type World } from './world.js';

/** What is explored: so many attempts, and changes of each payout at the service. */
type PayoutBounds = LifecycleBounds & { readonly attempts: number; readonly changes: number };

const input: PayoutInput = {
  ...{ partner_code: partnerCode, value, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Silva', document: '52998224725' },
};

/** A payout by pix, with the service that holds its attempts. */
export class PayoutModel extends LifecycleModel<PayoutPayment, PayoutService> {
  protected readonly workflowId = `payout-${partnerCode}`;
  protected readonly build = lives.payout;

  constructor(private readonly most: PayoutBounds) {
    super(most);
  }

  protected input({ watchDays }: PayoutService): PayoutInput {
    return { ...input, watch_days: watchDays };
  }

  protected firstServices(): PayoutService[] {
    return [1, 0].map((watchDays) => ({
      ...{ watchDays, held: [], readings: [], asked: [], open: [], answered: [] },
      ...{ isGivenUp: false, maySend: true, isScanned: true, hadFailed: false },
    }));
  }

  protected copy(service: PayoutService): PayoutService {
    return { ...service, held: [...service.held], readings: [], asked: [] };
  }

  /** What the runs before had read or answered is not known any more. */
  protected wasSetBack(service: PayoutService, { snapshot }: Waiting): void {
    service.held = service.held.map((each) => ({ ...each, shown: null, scanned: null, told: null }));
    const hadFailed = snapshot.includes('"payout_failed"');
    Object.assign(service, { isGivenUp: false, maySend: false, isScanned: false, hadFailed, answered: [] });
  }

  protected known({ attempts }: PayoutPayment): string {
    return attempts.map(({ phase, status }) => `${phase} ${status ?? ''}`.trim()).join(', ');
  }

  protected commands(payment: PayoutPayment, { held }: PayoutService): SentCommand<PayoutService>[] {
    const { latest } = payment;
    const found = held.filter(({ code }) => code === latest.partnerCode);
    const retries = latest.number < this.most.attempts ? [{}, { attempt: latest.number }] : [];
    return [
      abandonment(payment),
      denial(payment),
      ...found.map(({ id }) => ({
        name: 'resolveSubmission' as const,
        message: { service_id: id },
        // What a command has read that is refused is not known here.
        refused: (service: PayoutService) => {
          service.held = service.held.map((each) => (each.id === id ? { ...each, shown: null } : each));
        },
      })),
      ...retries.map((message) => ({
        name: 'retryPayout' as const,
        message,
        executed: (service: PayoutService) => {
          Object.assign(service, { isGivenUp: false, maySend: true });
        },
      })),
    ];
  }

  /** The service moves a payout, or its list catches up. */
  protected *changes({ service }: World<PayoutService>): Iterable<{ name: string; service: PayoutService }> {
    for (const [index, each] of service.held.entries()) {
      const { changes, code, isLost, listed, status } = each;
      if (isLost) continue;
      const changed = (change: Partial<HeldPayout>) => ({
        ...service,
        held: service.held.with(index, { ...each, ...change }),
      });
      if (listed !== status)
        yield { name: `the list shows ${code} as ${status}`, service: changed({ listed: status }) };
      if (changes >= this.most.changes) continue;
      const moved = { id: `${each.id}-moved`, shown: null, scanned: null, changes: changes + 1 };
      yield { name: `${code} has another identifier`, service: changed(moved) };
      const lost = { isLost: true, late: null, listed: null, changes: changes + 1 };
      yield { name: `the service loses ${code}`, service: changed(lost) };
      for (const next of payoutStatuses) {
        if (next === status) continue;
        const change = { status: next, late: status, changes: changes + 1 };
        yield { name: `${code} is ${next}`, service: changed(change) };
      }
    }
  }

  protected answers(step: PayoutStep): Answers {
    return {
      ...nothing,
      calls: { ...noSuchCalls, createPixPayout: (call) => Promise.resolve(createPayout(step, call)) },
      readPayout: (id) => readPayout(step, id),
      scan: (target) => scanPayouts(step, target),
      wasReset: () => step.seesReset,
    };
  }

  /** What was shown last stands above what anybody believed. */
  protected check(payment: PayoutPayment, service: PayoutService, run: RunFacts): void {
    const { attempts, record, stage } = payment;
    const { status } = record;
    const isCalledFailed = record.needsOperatorFor('payout_failed');
    const done = service.held.find(({ shown }) => shown === 'done');
    if (done !== undefined && ['error', 'rejected', 'abandoned', 'cancelled'].includes(status)) {
      throw new Violation('money that was seen to be paid is shown', `${done.code} is done, here ${status}`);
    }
    const isSeenMoving = ({ partnerCode: code }: { partnerCode: string }) =>
      service.held.some((each) => each.code === code && isMoving(each.shown));
    if ((isCalledFailed || status === 'abandoned') && attempts.some(isSeenMoving)) {
      throw new Violation('no statement on money that is not proven', `the payout is ${status}`);
    }
    if (service.isGivenUp && stage === 'decide') throw new Violation('an abandonment holds', status);
    const isAfterReset = isReset(run) || run.afterReset;
    const unsent = attempts.find(
      ({ phase, partnerCode: code }) =>
        (['refused', 'never_sent'].includes(phase) && service.open.includes(code)) ||
        (phase === 'never_sent' && service.answered.includes(code)),
    );
    if (unsent !== undefined && (!isAfterReset || isReset(run))) {
      throw new Violation('what may have been taken is not called unsent', unsent.partnerCode);
    }
    const isReadFailed = service.readings.some((each) => each.isRead && each.status === 'error');
    const isUnscanned = isAfterReset && !service.isScanned;
    if (isUnscanned && isCalledFailed && isReadFailed && !service.hadFailed) {
      throw new Violation('after a reset no failure is concluded before a scan', status);
    }
    const detail = payment.view().attention_detail ?? '';
    if (isUnscanned && detail.includes('No money has reached the payee')) {
      throw new Violation('after a reset nothing is said about the money before a scan', detail);
    }
  }
}

/** After a reset nothing is given up that the list shows. */
function abandonment({ attempts, run }: PayoutPayment): SentCommand<PayoutService> {
  const known = attempts.map(({ partnerCode: code }) => code);
  return {
    name: 'abandonPayout',
    message: {},
    executed: (service, fail) => {
      service.isGivenUp = true;
      const missed = service.held.find(({ code, listed }) => isMoving(listed) && !known.includes(code));
      if (missed !== undefined && (run.afterReset || service.maySend === false)) {
        fail(new Violation('after a reset nothing is given up that the list shows', missed.code));
      }
    },
  };
}

/** An operator states that nothing had happened: an identifier that is known is read first. */
function denial({ latest }: PayoutPayment): SentCommand<PayoutService> {
  const { partnerCode: code, serviceId } = latest;
  return {
    name: 'resolveSubmission',
    message: { nothing_happened: true },
    executed: (service, fail) => {
      service.open = service.open.filter((each) => each !== code);
      service.isScanned = true;
      if (serviceId !== null && !service.asked.includes(serviceId)) {
        fail(new Violation('what is denied is read first', code));
      }
      const told = service.held.find((each) => each.code === code && isMoving(each.told));
      if (told !== undefined) fail(new Violation('what was last shown moving is not denied', told.id));
    },
  };
}
