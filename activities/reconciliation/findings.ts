import type { Finding } from '../../src/contract/reconciliation.js';
import { listedFindings } from '../../src/domain/reconciling.js';
import { withoutCard } from '../../src/domain/service-ids.js';

/** Counts payouts of one kind of finding, each once, and names the first of them. */
export class Findings {
  readonly #seen = new Set<string>();
  readonly #named: Finding['payouts'] = [];

  /** Of a payout of ours. */
  add(partnerCode: string | null, serviceId: string | null): void {
    const key = JSON.stringify([partnerCode, serviceId]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#named.length < listedFindings) {
      this.#named.push({ partner_code: partnerCode, service_id: serviceId });
    }
  }

  /** Of what the service lists: what is not ours may hold a card number. */
  addListed(partnerCode: string | null, serviceId: string | null): void {
    this.add(withoutCard(partnerCode), withoutCard(serviceId));
  }

  view(): Finding {
    return { count: this.#seen.size, payouts: this.#named };
  }
}
