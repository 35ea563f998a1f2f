import type { CardOrderInput, HostedCheckoutInput } from '../../src/contract/order.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import type { HostedCheckoutPayment } from '../../workflows/order/hosted-checkout-payment.js';
import type { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import type { OrderPayment } from '../../workflows/order/payment.js';
import type { Read } from '../../src/domain/called.js';
import type { OrderReading } from '../../src/contract/outcomes.js';
import { Violation } from '../simulation/violation.js';
import { card, customer, orderOf } from '../simulation/lifecycles.js';
import { lives } from '../support/lives.js';
import { LifecycleModel, type LifecycleBounds } from './lifecycle-model.js';
import type { RunFacts, SentCommand, Step, Waiting, World } from './world.js';
import { failedBy, inResetRun } from './failed-calls.js';
import { noSuchCalls, nothing } from './no-such-calls.js';
import type { Answers } from './answers.js';

/** What is explored: so many changes of each order at the service. */
type OrderBounds = LifecycleBounds & { readonly changes: number };

const statuses = ['waiting_payment', 'paid', 'denied', 'chargeback'] as const;
type OrderStatus = (typeof statuses)[number];

/** An order at the service; all of them are this payment's. */
type HeldOrder = {
  readonly id: string;
  readonly status: OrderStatus;
  /** What reads may still show; null once one has shown the present status. */
  readonly late: OrderStatus | null;
  /** What a read showed last, since somebody decided. */
  readonly shown: OrderStatus | null;
  /** A postback has named it, since somebody decided, and no read has shown it. */
  readonly isNamed: boolean;
  readonly changes: number;
};

/** What the service has of one payment. */
export type OrderService = {
  held: HeldOrder[];
  /** A request to create it has left. */
  isSent: boolean;
  /** An operator has found that nothing had happened, or the service has refused what it had taken. */
  isDenied: boolean;
};

export const partnerCode = 'explored';
export const order = orderOf(partnerCode);

/** An order, with the service that holds it. */
export abstract class OrderModel<
  P extends OrderPayment,
  Service extends OrderService = OrderService,
> extends LifecycleModel<P, Service> {
  protected readonly workflowId = `order-${partnerCode}`;

  constructor(private readonly most: OrderBounds) {
    super(most);
  }

  protected known({ data, record }: P): string {
    return `${data.phase} ${record.status}`;
  }

  protected override postbacks({ held }: Service): string[] {
    return ['{}', ...held.map(({ id }) => JSON.stringify({ id }))];
  }

  protected override postbackCame(service: Service, body: string): void {
    service.held = service.held.map((each) =>
      body.includes(`"${each.id}"`) && each.shown === null ? { ...each, isNamed: true } : each,
    );
  }

  protected commands(_payment: P, { held }: Service): SentCommand<Service>[] {
    const decided = (service: Service) => {
      service.held = service.held.map((each) => ({ ...each, shown: null, isNamed: false }));
    };
    return [
      { name: 'provideCard', message: card },
      {
        name: 'resolveSubmission',
        message: { nothing_happened: true },
        executed: (service) => {
          decided(service);
          service.isDenied = true;
        },
      },
      ...held.map(({ id }) => ({ name: 'resolveSubmission' as const, message: { service_id: id } })),
    ];
  }

  /** What the runs before had read is not known any more. */
  protected wasSetBack(service: Service, _to: Waiting): void {
    service.held = service.held.map((each) => ({ ...each, shown: null, isNamed: false }));
  }

  protected override acknowledged(service: Service): void {
    service.held = service.held.map((each) => ({ ...each, shown: null }));
  }

  protected *changes({ service }: World<Service>): Iterable<{ name: string; service: Service }> {
    for (const [index, each] of service.held.entries()) {
      if (each.changes >= this.most.changes) continue;
      const moved = { ...each, id: `${each.id}-moved`, shown: null, changes: each.changes + 1 };
      yield {
        name: `order ${each.id} has another identifier`,
        service: { ...service, held: service.held.with(index, moved) },
      };
      for (const status of statuses) {
        if (status === each.status || status === 'waiting_payment') continue;
        const changed = { ...each, status, late: each.status, changes: each.changes + 1 };
        yield {
          name: `order ${each.id} is ${status}`,
          service: { ...service, held: service.held.with(index, changed) },
        };
      }
    }
  }

  protected answers(step: Step<P, Service>): Answers {
    const { seesReset, service } = step;
    return {
      ...nothing,
      readOrder: (id) => {
        const index = service.held.findIndex((each) => each.id === id);
        const held = service.held[index];
        return held === undefined ? { kind: 'not_found' } : read(step, index, held);
      },
      wasReset: () => seesReset,
    };
  }

  /** What was read last stands above what anybody believed. */
  protected check(
    { data: { closed }, record }: P,
    { held, isDenied, isSent }: Service,
    _run: RunFacts,
  ): void {
    const { attention, status } = record;
    const isOver = ['rejected', 'cancelled', 'expired'].includes(status);
    const paid = held.find(({ shown }) => shown === 'paid' || shown === 'chargeback');
    if (paid !== undefined && isOver && attention === null) {
      throw new Violation(
        'money that was seen to move is shown',
        `order ${paid.id} is ${String(paid.shown)}, here ${status}`,
      );
    }
    if (!closed) return;
    if (isSent && held.length > 0 && !isDenied && ['rejected', 'cancelled'].includes(status)) {
      throw new Violation(
        'no statement on money that is not proven',
        `${status}, and the service holds the order`,
      );
    }
    const unread = held.find(({ isNamed }) => isNamed);
    if (unread !== undefined) {
      throw new Violation('what a postback names is read before a payment closes', `order ${unread.id}`);
    }
  }

  /** Makes the call that creates the order, by one of the ways that it can go. */
  protected created({ choices, seesReset, service }: Step<P, Service>, withCard: boolean): CreationOutcome {
    if (seesReset) return inResetRun;
    const outcome = choices.pick(withCard ? [...outcomes, 'card gone'] : outcomes);
    if (['card gone', 'not sent', 'throttled'].includes(outcome)) return failedBy(outcome);
    if (service.isSent) throw new Violation('an order is sent once', 'it was sent before');
    service.isSent = true;
    if (outcome === 'refused, and taken') service.isDenied = true;
    const id = String(service.held.length + 1);
    if (!outcome.endsWith('without effect')) {
      const status = 'waiting_payment' as const;
      service.held.push({ id, status, late: null, shown: null, isNamed: false, changes: 0 });
    }
    switch (outcome) {
      case 'answered':
        return { outcome: 'answered', service_id: id, status: 'waiting_payment' };
      case 'answered without an identifier':
        return { outcome: 'answered', service_id: null, status: 'waiting_payment' };
      default:
        return failedBy(outcome);
    }
  }
}

const outcomes = [
  ...(['answered', 'answered without an identifier'] as const),
  ...(['refused, without effect', 'refused, and taken'] as const),
  ...(['unknown, without effect', 'unknown, and taken', 'not sent', 'throttled'] as const),
] as const;

/** A read by an identifier; a bare one shows neither code nor amount. */
function read<P>(step: Step<P, OrderService>, index: number, held: HeldOrder): Read<OrderReading> {
  const { choices, service } = step;
  const { id, late } = held;
  const way = choices.pick(
    late === null
      ? ['read', 'a bare read', 'not found', 'unreadable']
      : ['read', 'a bare read', 'an old read', 'not found', 'unreadable'],
  );
  if (way === 'not found') return { kind: 'not_found' };
  if (way === 'unreadable') return { kind: 'unreadable', reason: '503' };
  const isOld = way === 'an old read' && late !== null;
  const status = isOld ? late : held.status;
  service.held[index] = { ...held, shown: status, isNamed: false, late: isOld ? late : null };
  const isBare = way === 'a bare read';
  return {
    kind: 'read',
    reading: {
      ...{ service_id: isBare ? null : id, status },
      ...{ partner_code: isBare ? null : partnerCode, value_centavos: isBare ? null : 15_025 },
    },
  };
}

/** An order that is created by one call, of which nothing more is known here. */
abstract class SimpleOrderModel<P extends OrderPayment> extends OrderModel<P> {
  protected firstServices(): OrderService[] {
    return [{ held: [], isSent: false, isDenied: false }];
  }

  protected copy(service: OrderService): OrderService {
    return { ...service, held: [...service.held] };
  }
}

export class CardOrderModel extends SimpleOrderModel<CardOrderPayment> {
  protected readonly build = lives.cardOrder;

  protected input(): CardOrderInput {
    return { order: { ...order, installments: 1 }, customer, card, watch_days: 1 };
  }

  protected override answers(step: Step<CardOrderPayment, OrderService>): Answers {
    const createCardOrder = () => Promise.resolve(this.created(step, true));
    return { ...super.answers(step), calls: { ...noSuchCalls, createCardOrder } };
  }
}

/** A checkout that the customer pays on a page of the service. */
export class HostedCheckoutModel extends SimpleOrderModel<HostedCheckoutPayment> {
  protected readonly build = lives.hostedCheckout;

  protected input(): HostedCheckoutInput {
    return { order: { ...order, redirect_url: 'https://shop.example/' }, customer, watch_days: 1 };
  }

  protected override answers(step: Step<HostedCheckoutPayment, OrderService>): Answers {
    const createCheckout = () => Promise.resolve(this.created(step, false));
    return { ...super.answers(step), calls: { ...noSuchCalls, createCheckout } };
  }
}
