import { endOf, latestOf } from '../../../scripts/drills/plan-end.mjs';
import { payoutOf } from '../../../scripts/drills/ledger-checks.mjs';
import { armCalls, faults, lifecycles, type FaultOf } from '../../../scripts/drills/torture-plan.mjs';
import type { EndpointName } from '../../../src/dev/sandbox/endpoints.js';
import type { OrderEntry, PayoutEntry } from '../../../src/dev/sandbox/ledger.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import type { Outages } from '../../simulation/outages.js';
import type { Outage, Plan } from '../../simulation/plan.js';

/** A slow call would hang in real time, and no worker dies here: the answer is lost instead. */
const quickFaults: FaultOf = {
  ...faults,
  late_effect: 'dropped-before',
  worker_died_before: 'dropped-before',
  worker_died_unmarked: 'dropped-before',
  worker_died_after: 'accepted-then-dropped',
  worker_died_lingering: { effect: 'done' },
  redispatched_after: 'accepted-then-dropped',
  never_started: 'dropped-before',
};

/** More calls than are made in an outage, by which its faults are known. */
const callsOfAnOutage = 1_000_000;

/** What the service has of a payment that lives by a plan. */
export class PlannedRecords {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly plan: Plan,
    private readonly code: string,
  ) {}

  /** What is planned to go wrong with its creating calls. */
  armCalls(): void {
    armCalls(this.sandbox, this.plan, this.code, quickFaults);
  }

  /** Has reads, the list and sends fail exactly while they are planned to. */
  armOutages(outages: Outages): void {
    const others = this.sandbox.faults().filter(({ times }) => times < callsOfAnOutage / 2);
    this.sandbox.clearFaults();
    for (const fault of others) this.sandbox.fault(fault);
    for (const of of ['reads', 'list', 'sends'] as const) {
      if (outages.until(of) === undefined) continue;
      const fault = { effect: 'none', status: of === 'sends' ? 429 : 503 } as const;
      this.sandbox.fault({ endpoint: this.#endpointOf(of), fault, times: callsOfAnOutage });
    }
  }

  get all() {
    const { orders, payouts } = this.sandbox.ledger();
    return {
      orders: orders.filter(({ partner_code: code }) => code === this.code),
      payouts: payouts.filter(({ partner_code: code }) => payoutOf(code) === this.code),
    };
  }

  get latest(): OrderEntry | PayoutEntry | undefined {
    return latestOf(this.all);
  }

  /** Those whose life has begun: that of a refund, or of a 3D Secure order, once it is asked for. */
  get living(): (OrderEntry | PayoutEntry)[] {
    const { kind } = this.plan;
    const { orders, payouts } = this.all;
    const asked = orders.filter(
      ({ refunds_requested: refunds, times_submitted: submitted }) =>
        (kind !== 'refund' || refunds > 0) && (kind !== 'three_d_secure_order' || submitted > 0),
    );
    return [...asked, ...payouts];
  }

  set(code: string, status: string): void {
    if (this.plan.kind === 'payout') this.sandbox.setPayoutStatus(code, status);
    else this.sandbox.setOrderStatus(code, status);
  }

  /** Ends what the service has under way. */
  end(): void {
    const record = this.latest;
    const status = record && endOf(this.plan.kind, record);
    if (record !== undefined && status !== undefined) this.set(record.partner_code, status);
  }

  #endpointOf(of: Outage['of']): EndpointName {
    const { kind } = this.plan;
    if (of === 'list') return 'GET /v1/payouts';
    if (of === 'reads') return kind === 'payout' ? 'GET /v1/payout/{id}' : 'GET /v1/order/{id}';
    return kind === 'account_validation' ? 'POST /v1/account/validate' : lifecycles[kind].endpoint;
  }
}
