import { describe, expect } from 'vitest';
import { listShows, listed } from '../support/listed-payouts.js';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a payout that the list shows moving under another identifier than its own', () => {
  test('is not called failed by a read of its own once a refused command was shown it', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const missing = { effect: 'none', status: 404 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 1_000, fault: missing });
    const payout = await payouts.start(code, 'unlisted');
    await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 second', 30);
    listShows(sandbox, listed(77, code));
    const service_id = payouts.idOf(code);
    const named = payout.command('resolveSubmission', { service_id, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('CouldNotRead');
    sandbox.clearFaults();
    sandbox.setPayoutStatus(code, 'error');
    listShows(sandbox, listed(77, code));
    const state = await payout.until(({ last_read: read }) => read !== null, '1 minute', 10);
    expect(state).toMatchObject({ status: 'processing' });
    expect(state.attention).not.toBe('payout_failed');
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is not called failed by its own reads before the list shows that as well', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const endpoint = 'GET /v1/payout/{id}';
    const missing = { effect: 'none', status: 404 } as const;
    sandbox.fault({ endpoint, partner_code: code, times: 1_000, fault: missing });
    const payout = await payouts.start(code, 'unlisted');
    listShows(sandbox, listed(77, code));
    await payout.until(statusIs('processing'), '1 minute', 10);
    sandbox.clearFaults();
    sandbox.setPayoutStatus(code, 'error');
    listShows(sandbox, listed(77, code));
    await clock.pass('2 days');
    expect(await payout.state()).toMatchObject({ status: 'processing', attempts: [{ list_id: '77' }] });
    const doubt = "A read shows attempt 1 as failed, the service's list as moving: it counts as moving.";
    const said = (await payout.state()).timeline.filter(({ what }) => what.includes(doubt));
    expect(said).toHaveLength(1);
    await clock.pass('30 days');
    expect((await payout.state()).attention_detail).toContain(doubt);
    sandbox.clearFaults();
    listShows(sandbox, listed(77, code, { status: 'error' }));
    await payout.until(statusIs('error'), '1 hour', 30);
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed' });
    sandbox.clearFaults();
  });
});
