import type { Oms } from '../oms.js';
import type { SandboxControl } from './sandbox-control.js';

/** What an incident is set up on: the gateway as an order-management service sees it, and the sandbox's control. */
export type IncidentStack = { readonly oms: Oms; readonly sandbox: SandboxControl };

/** How a payment of an incident stands when the incident is solved. */
export type Expected = {
  /** The payment's address at the gateway. */
  readonly path: string;
  readonly status: string;
  /** The code under which the sandbox's ledger holds it: that of the order, or of the first attempt of a payout. */
  readonly code: string;
  /** The statuses of its records in the ledger, one for each attempt that the service took. */
  readonly records: readonly string[];
};

/** Something that goes wrong, to train on. docs/incidents.md has a section for each, by its title. */
export type Incident = {
  readonly title: string;
  /** What the on-call engineer is told: what others see, never the cause. */
  readonly symptom: string;
  /** Starts payments and arms faults; resolves when the symptom is there. */
  readonly setUp: (stack: IncidentStack) => Promise<void>;
  readonly expected: readonly Expected[];
};
