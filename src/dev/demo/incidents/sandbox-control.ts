import { z } from 'zod';

const record = z.object({ partner_code: z.string(), status: z.string() });
const ledger = z.object({ orders: z.array(record), payouts: z.array(record) });

type ServiceRecord = z.infer<typeof record>;

/** A fault as docs/sandbox.md describes it. */
type ArmedFault = {
  readonly endpoint: string;
  readonly fault: string | Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly partner_code?: string;
};

/** The control of a sandbox over HTTP. */
export class SandboxControl {
  constructor(private readonly url: string) {}

  fault(fault: ArmedFault): Promise<void> {
    return this.#post('faults', fault);
  }

  setStatus(kind: 'orders' | 'payouts', partnerCode: string, status: string): Promise<void> {
    return this.#post(`${kind}/${partnerCode}/status`, { status });
  }

  postbacksOff(): Promise<void> {
    return this.#post('postbacks', { postbacks: 'off' });
  }

  expireToken(): Promise<void> {
    return this.#post('token/expire', {});
  }

  /** Every order and payout that the service took, in the order of their creation. */
  async records(): Promise<readonly ServiceRecord[]> {
    const answer = await fetch(`${this.url}/sandbox/ledger`);
    const { orders, payouts } = ledger.parse(await answer.json());
    return [...orders, ...payouts];
  }

  async #post(path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${String(answer.status)} to ${path}.`);
  }
}

/** The statuses of the records of an order, or of all attempts of a payout. */
export function recordsOf(partnerCode: string, records: readonly ServiceRecord[]): string[] {
  return records
    .filter(({ partner_code: code }) => code.replace(/-r\d+$/, '') === partnerCode)
    .map(({ status }) => status);
}
