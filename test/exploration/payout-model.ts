import { whyScanFirst, type CreatePayoutInput } from '../../activities/shared/send-payout.js';
import type { PayoutReading } from '../../src/contract/outcomes.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import { attemptPartnerCode } from '../../src/domain/ids.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { PayoutPayment, type PayoutSnapshot } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import type { Run } from '../../workflows/shared/run.js';
import { Violation } from '../simulation/violation.js';
import {
  LifecycleModel,
  type LifecycleBounds,
  type SentCommand,
  type Step,
  type World,
} from './lifecycle-model.js';
import { noSuchCalls } from './no-such-calls.js';
import type { Answers, ScriptedContext } from './scripted-context.js';

/** What is explored: so many attempts, and changes of each payout at the service. */
export type PayoutBounds = LifecycleBounds & { readonly attempts: number; readonly changes: number };

const statuses = ['processing', 'done', 'error'] as const;
type Status = (typeof statuses)[number];

/** A payout at the service. */
type Held = {
  readonly code: string;
  readonly id: string;
  readonly status: Status;
  /** What the next read by its identifier may still show; null when it shows the present status. */
  readonly late: Status | null;
  /** What the list shows; null when it holds none. */
  readonly listed: Status | null;
  readonly changes: number;
  /** What a read or a scan showed last. */
  readonly shown: Status | null;
};

type Service = {
  held: Held[];
  /** What reads and scans have shown in this step. */
  readings: { code: string; status: Status; isRead: boolean }[];
  /** An abandonment was answered, and not taken back since. */
  isGivenUp: boolean;
};

type PayoutStep = Step<PayoutPayment, Service>;

const partnerCode = 'explored';
const value = 150.25;
const input: PayoutInput = {
  ...{ partner_code: partnerCode, value, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Silva', document: '52998224725' },
};
const isMoving = (status: Status | null) => status === 'processing' || status === 'done';

/** A payout by pix, with the service that holds its attempts. */
export class PayoutModel extends LifecycleModel<PayoutPayment, Service> {
  protected readonly workflowId = `payout-${partnerCode}`;

  constructor(private readonly most: PayoutBounds) {
    super(most);
  }

  protected payment(run: Run, snapshot: string | undefined): PayoutPayment {
    return new PayoutPayment(
      input,
      run,
      snapshot === undefined ? undefined : (JSON.parse(snapshot) as PayoutSnapshot),
    );
  }

  protected lifecycle(ctx: ScriptedContext, payment: PayoutPayment): Promise<void> {
    return payoutLifecycle(ctx, payment);
  }

  protected firstService(): Service {
    return { held: [], readings: [], isGivenUp: false };
  }

  protected copy({ held, isGivenUp }: Service): Service {
    return { held: [...held], readings: [], isGivenUp };
  }

  /** What the runs before had read or answered is not known any more. */
  protected override wasSetBack(service: Service): void {
    service.isGivenUp = false;
    service.held = service.held.map((each) => ({ ...each, shown: null }));
  }

  protected known({ attempts }: PayoutPayment): string {
    return attempts.all.map(({ phase, status }) => `${phase} ${status ?? ''}`.trim()).join(', ');
  }

  protected commands({ attempts }: PayoutPayment, { held }: Service): SentCommand<Service>[] {
    const { latest } = attempts;
    const abandoned = (service: Service) => (service.isGivenUp = true);
    const retried = (service: Service) => (service.isGivenUp = false);
    const found = held.filter(({ code }) => code === latest.partnerCode);
    const retries = latest.number < this.most.attempts ? [{}, { attempt: latest.number }] : [];
    return [
      { name: 'abandonPayout', message: {}, executed: abandoned },
      { name: 'resolveSubmission', message: { nothing_happened: true } },
      ...found.map(({ id }) => ({
        name: 'resolveSubmission' as const,
        message: { service_id: id },
        // What a command has read that is refused is not known here.
        refused: (service: Service) => {
          service.held = service.held.map((each) => (each.id === id ? { ...each, shown: null } : each));
        },
      })),
      ...retries.map((message) => ({ name: 'retryPayout' as const, message, executed: retried })),
    ];
  }

  /** The service moves a payout, or its list catches up; not while one waits to be sent, which nobody could see. */
  protected *changes({ service, stage }: World<Service>): Iterable<{ name: string; service: Service }> {
    if (stage === 'submit') return;
    for (const [index, each] of service.held.entries()) {
      const { changes, code, listed, status } = each;
      const changed = (change: Partial<Held>) => ({
        ...service,
        held: service.held.with(index, { ...each, ...change }),
      });
      if (listed !== status)
        yield { name: `the list shows ${code} as ${status}`, service: changed({ listed: status }) };
      if (changes >= this.most.changes) continue;
      for (const next of statuses) {
        if (next === status) continue;
        const change = { status: next, late: status, changes: changes + 1 };
        yield { name: `${code} is ${next}`, service: changed(change) };
      }
    }
  }

  protected answers(step: PayoutStep): Answers {
    const { choices, isReset, service } = step;
    const create = (call: CreatePayoutInput) => Promise.resolve(created(step, call));
    return {
      calls: { ...noSuchCalls, createPixPayout: create },
      readPayout: (id) => {
        const index = service.held.findIndex((each) => each.id === id);
        const held = service.held[index];
        if (held === undefined) return { kind: 'not_found' };
        const { late } = held;
        const way = choices.pick(
          late === null ? ['read', 'not found'] : ['read', 'an old read', 'not found'],
        );
        if (way === 'not found') {
          service.held[index] = { ...held, shown: null };
          return { kind: 'not_found' };
        }
        return {
          kind: 'read',
          reading: shown(step, index, way === 'read' || late === null ? held.status : late, true),
        };
      },
      readOrder: () => ({ kind: 'not_found' }),
      scan: ({ attempts_of: attemptsOf, partner_codes: codes = [], service_ids: ids = [] }) => {
        if (choices.pick(['scanned', 'not scanned']) === 'not scanned') return undefined;
        return service.held.flatMap(({ code, id, listed }, index) => {
          const isWanted = attemptsOf !== undefined || codes.includes(code) || ids.includes(id);
          return listed !== null && isWanted ? [shown(step, index, listed, false)] : [];
        });
      },
      ownerOf: () => null,
      wasReset: () => isReset,
    };
  }

  /** What was read last stands above what anybody believed. */
  protected check({ attempts, record }: PayoutPayment, { held }: Service): void {
    const { status } = record;
    const isDone = held.find(({ shown }) => shown === 'done');
    if (isDone !== undefined && ['error', 'rejected', 'abandoned', 'cancelled'].includes(status)) {
      throw new Violation(
        'money that was seen to be paid is shown',
        `${isDone.code} is done, the payout ${status}`,
      );
    }
    const isSeenMoving = ({ partnerCode: code }: { partnerCode: string }) =>
      held.some((each) => each.code === code && isMoving(each.shown));
    const isCalledFailed = record.isRaised('payout_failed') || status === 'abandoned';
    const isWrong = isCalledFailed && attempts.all.some(isSeenMoving);
    if (isWrong) throw new Violation('no statement on money that is not proven', `the payout is ${status}`);
  }
}

/** Notes what a read or a scan shows, and answers it. */
function shown({ service }: PayoutStep, index: number, status: Status, isRead: boolean): PayoutReading {
  const held = service.held[index];
  if (held === undefined) throw new Error(`There is no payout ${String(index)}.`);
  const { code, id } = held;
  const late = isRead ? null : held.late;
  // The list may lag behind a read that was made just now.
  const mayLag = service.readings.some((each) => each.code === code && each.isRead);
  service.held[index] = {
    ...held,
    late,
    shown: !isRead && mayLag && held.shown !== 'error' ? held.shown : status,
  };
  service.readings.push({ code, status, isRead });
  return {
    ...{ service_id: id, status, partner_code: code, claimed_at: null },
    value_centavos: Math.round(value * 100),
  };
}

const outcomes = [
  ...(['answered', 'refused, without effect', 'refused, and taken', 'unknown, without effect'] as const),
  ...(['unknown, and taken', 'answered without an identifier', 'not sent'] as const),
] as const;

function created(step: PayoutStep, call: CreatePayoutInput): CreationOutcome {
  const { choices, clock, isReset, service } = step;
  const code = attemptPartnerCode(partnerCode, call.attempt);
  if (isReset) return { outcome: 'unknown', reason: 'This run is a reset.', dispatched_before: true };
  const scanFirst = whyScanFirst(call, clock.now, false);
  if (scanFirst !== undefined) return { outcome: 'scan_first', reason: scanFirst };
  const outcome = choices.pick(outcomes);
  if (outcome === 'not sent') return { outcome: 'not_sent', reason: 'The connection was refused.' };
  maySend(step, code);
  const id = String(service.held.length + 1);
  if (!outcome.endsWith('without effect')) {
    service.held.push({ code, id, status: 'processing', late: null, listed: null, changes: 0, shown: null });
  }
  switch (outcome) {
    case 'answered':
      return { outcome: 'answered', service_id: id, status: 'processing' };
    case 'answered without an identifier':
      return { outcome: 'answered', service_id: null, status: 'processing' };
    case 'refused, without effect':
    case 'refused, and taken':
      return { outcome: 'refused', reason: '422', http_status: 422 };
    case 'unknown, without effect':
    case 'unknown, and taken':
      return { outcome: 'unknown', reason: 'The connection broke.' };
  }
}

/** Nothing is sent while anything that could be known speaks against it. */
function maySend({ payment, service }: PayoutStep, code: string): void {
  if (service.isGivenUp) throw new Violation('what was given up is not sent', code);
  for (const each of service.held) {
    const seen = service.readings.filter(({ code: read }) => read === each.code);
    const isMoved = seen.some(({ status }) => isMoving(status));
    // What a run before a reset has sent, and the list does not show, nobody can know.
    const isKnown = payment.attempts.all.some(({ serviceId }) => serviceId === each.id);
    const couldBeSeen = isKnown || each.listed !== null;
    const isUnseen = couldBeSeen && seen.length === 0 && each.status !== 'error';
    if (!isMoved && !isUnseen && !(couldBeSeen && each.code === code)) continue;
    const why = isMoved ? 'was seen moving' : isUnseen ? 'was not looked at' : 'is the same';
    throw new Violation('a payout is not paid twice', `${code} is sent, though ${each.code} ${why}`);
  }
}
