import { describe, expect } from 'vitest';
import { listShows, listed } from '../support/listed-payouts.js';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

describe('a payout that the list shows moving under another identifier than its own', () => {
  test('is not called failed by a read of its own once a refused command was shown it', async ({
    payout,
    sandbox,
  }) => {
    payout.service.fails('GET /v1/payout/{id}', 404);
    await payout.start('unlisted');
    await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 second', 30);
    listShows(sandbox, listed(77, payout.code));
    const service_id = payout.id();
    const named = payout.command('resolveSubmission', { service_id, by: 'ana' });
    expect(await named.catch(refusalOf)).toBe('CouldNotRead');
    payout.service.recovers();
    payout.service.shows('error');
    listShows(sandbox, listed(77, payout.code));
    const state = await payout.until(({ last_read: read }) => read !== null, '1 minute', 10);
    expect(state).toMatchObject({ status: 'processing' });
    expect(state.attention).not.toBe('payout_failed');
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is not called failed by its own reads before the list shows that as well', async ({
    payout,
    sandbox,
  }) => {
    payout.service.fails('GET /v1/payout/{id}', 404);
    await payout.start('unlisted');
    listShows(sandbox, listed(77, payout.code));
    await payout.until(statusIs('processing'), '1 minute', 10);
    payout.service.recovers();
    payout.service.shows('error');
    listShows(sandbox, listed(77, payout.code));
    expect(await payout.after('2 days')).toMatchObject({
      status: 'processing',
      attempts: [{ list_id: '77' }],
    });
    const doubt = "A read shows attempt 1 as failed, the service's list as moving: it counts as moving.";
    const said = (await payout.state()).timeline.filter(({ what }) => what.includes(doubt));
    expect(said).toHaveLength(1);
    await payout.after('30 days');
    expect((await payout.state()).attention_detail).toContain(doubt);
    payout.service.recovers();
    listShows(sandbox, listed(77, payout.code, { status: 'error' }));
    await payout.until(statusIs('error'), '1 hour', 30);
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed' });
  });
});
