import type { Sandbox } from '../../src/dev/sandbox/server.js';

/** From now on the list of payouts holds these records alone, whatever was made. */
export function listShows(sandbox: Sandbox, ...payouts: object[]): void {
  const body = { total_pages: 1, current_page: 1, payouts };
  sandbox.fault({ endpoint: 'GET /v1/payouts', times: 1_000, fault: { status: 200, body } });
}

/** A record of the list. */
export const listed = (
  id: number | string,
  partner_code: string,
  { value = 150.25, status = 'processing' }: { value?: number | string; status?: string } = {},
) => ({
  ...{ id, partner_code, value, status },
  claimed_at: new Date().toISOString(),
});
