import { armedFaultSchema, type ArmedFault, type ArmedFaultInput } from './faults.js';
import type { Ledger } from './ledger.js';
import { listFormSchema, type ListForm } from './list-form.js';
import type { Service } from './service.js';
import { snapshotOf, type Snapshot } from './snapshot.js';
import { notFound } from './service-error.js';
import type { Records, Tracked } from './tracked.js';

/** What tests and demos may do to a sandbox; each has its call under /sandbox (docs/sandbox.md). */
export type Control = {
  /** What the service really did; with a partner_code only its records. */
  readonly ledger: (partnerCode?: string) => Ledger;
  /** Resolves as soon as the ledger is as wanted; rejects when the sandbox closes before. */
  readonly until: (holds: (ledger: Ledger) => boolean) => Promise<void>;
  /** Sets any status, reports it by postback and ends the changes that were still to come. By id or partner_code. */
  readonly setOrderStatus: (idOrPartnerCode: string, status: string) => void;
  readonly setPayoutStatus: (idOrPartnerCode: string, status: string) => void;
  readonly setValidationStatus: (idOrPartnerCode: string, status: string) => void;
  /** The customer pays a hosted checkout. */
  readonly payCheckout: (idOrPartnerCode: string) => void;
  readonly postbacks: (mode: 'on' | 'off') => void;
  /** Arms a fault for the next `times` calls (default 1) of an endpoint, or of one partner_code at it. */
  readonly fault: (armed: ArmedFaultInput) => void;
  /** How `GET /v1/payouts` is given out from now on; `{}` as its document has it. */
  readonly list: (form: ListForm) => void;
  /** A second payout under the same partner_code, in this status. */
  readonly twin: (idOrPartnerCode: string, status: string) => void;
  /** It has another identifier from now on, as after a backup; its previous one answers 404. */
  readonly moveOrder: (idOrPartnerCode: string) => void;
  readonly movePayout: (idOrPartnerCode: string) => void;
  readonly faults: () => readonly ArmedFault[];
  readonly clearFaults: () => void;
  /** The current token stops working. */
  readonly expireToken: () => void;
  /** Ends now, in the order of their times, all delays under way: those of lives, postbacks and slow answers. */
  readonly hurry: () => void;
  /** All that it knows, as JSON, for {@link SandboxOptions.restored} of a later run. */
  readonly snapshot: () => Snapshot;
  /** Forgets everything but the token. */
  readonly reset: () => void;
};

export function controlOf(service: Service): Control {
  const set = <T extends Tracked>(records: Records<T>, key: string, status: string) => {
    const record = records.find(key);
    if (record === undefined) throw notFound('record');
    service.lives.set(record, status);
  };
  const move = <T extends Tracked>(records: Records<T>, key: string) => {
    const record = records.find(key);
    if (record === undefined) throw notFound('record');
    records.move(record, service.ids.next());
  };
  return {
    ledger: (partnerCode) => service.ledger(partnerCode),
    until: (holds) => service.until(holds),
    setOrderStatus: (key, status) => set(service.orders, key, status),
    setPayoutStatus: (key, status) => set(service.payouts, key, status),
    setValidationStatus: (key, status) => set(service.validations, key, status),
    payCheckout: (key) => {
      const order = service.orders.find(key);
      if (order?.kind !== 'checkout') throw notFound('checkout');
      service.orders.submit(order);
    },
    postbacks: (mode) => {
      service.postbacks.mode = mode;
    },
    fault: (armed) => service.faults.arm(armedFaultSchema.parse(armed)),
    list: (form) => {
      service.payouts.listForm = listFormSchema.parse(form);
    },
    twin: (key, status) => {
      const payout = service.payouts.find(key);
      if (payout === undefined) throw notFound('record');
      service.payouts.twin(payout, status);
    },
    moveOrder: (key) => move(service.orders, key),
    movePayout: (key) => move(service.payouts, key),
    faults: () => service.faults.list(),
    clearFaults: () => {
      service.faults.clear();
      service.payouts.listForm = {};
    },
    expireToken: () => service.tokens.expire(),
    hurry: () => service.clock.hurry(),
    snapshot: () => snapshotOf(service),
    reset: () => service.reset(),
  };
}
