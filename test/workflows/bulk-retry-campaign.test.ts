import { describe, expect, test } from 'vitest';
import type { Holder } from '../../activities/find-holders.js';
import { noTallies } from '../../src/domain/bulk-retry.js';
import { Campaign } from '../../workflows/bulk-retry/campaign.js';
import { readPlan } from '../../workflows/bulk-retry/plan.js';
import { begin } from '../../workflows/bulk-retry/snapshot.js';

const command = { reason: 'the bank says so', by: 'ana' };
const payout = { partner_code: 'rent-1', centavos: 15_025, cause: 'service_error', words: '', attempt: 1 };

function campaignOf({ isReset = false } = {}) {
  const plan = readPlan({ bulk_retry_id: 'again', ...command }, 0);
  return new Campaign(begin(plan, 0), null, () => 0, isReset);
}

const progress = (page: number, allowed: number, idle: boolean) => ({
  ...{ page, allowed, idle, next: 0, over: false, unanswered: [], tallies: noTallies() },
});

describe('a pause of a bulk retry that was reset to its beginning', () => {
  test('is answered when its first page is started, for the pages of the run before end before that', () => {
    const campaign = campaignOf({ isReset: true });
    campaign.pause(command);
    expect(campaign.isIdle).toBe(false);
    campaign.startedPage(1, [payout]);
    expect(campaign.isIdle).toBe(true);
  });

  test('is answered when nothing was selected', () => {
    const campaign = campaignOf({ isReset: true });
    campaign.pause(command);
    campaign.selection.add([], null);
    campaign.leaveSelection();
    expect(campaign.isIdle).toBe(true);
  });

  test('waits for each page of the run before to confirm that it retries no more', () => {
    const campaign = campaignOf({ isReset: true });
    campaign.pause(command);
    campaign.applyProgress(progress(1, 4, false));
    campaign.applyProgress(progress(2, 0, true));
    expect(campaign.earlierPages()).toEqual([1, 2]);
    const [first = 0] = [1, 2].map((page) => campaign.endEarlier(page).number);
    campaign.startedPage(3, [payout]);
    expect(campaign.isIdle).toBe(false);
    campaign.applyProgress(progress(1, first, true));
    expect(campaign.isIdle).toBe(false);
    campaign.lost(2);
    expect(campaign.isIdle).toBe(true);
  });
});

test('a pause of a bulk retry that was not reset is answered while it selects', () => {
  const campaign = campaignOf();
  campaign.pause(command);
  expect(campaign.isIdle).toBe(true);
});

describe('the check of other bulk retries', () => {
  const silent: Holder = { bulk_retry_id: 'nov-1', status: null, count: 0, partner_codes: [] };
  const holder: Holder = { bulk_retry_id: 'nov-2', status: 'paused', count: 1, partner_codes: ['rent-1'] };

  function selected() {
    const campaign = campaignOf();
    campaign.startedPage(1, [payout]);
    campaign.selection.add([], null);
    campaign.leaveSelection();
    return campaign;
  }

  test('continues while one is not known to hold payouts, and names that one', () => {
    const campaign = selected();
    campaign.checked([silent]);
    expect(campaign.awaitsCheck).toBe(true);
    expect(campaign.state()).toMatchObject({ status: 'canary', attention_detail: null });
    expect(campaign.state().awaiting).toContain('bulk retry nov-1,');
    campaign.checked([]);
    expect(campaign.awaitsCheck).toBe(false);
    expect(campaign.state().awaiting).toContain('the canary');
  });

  test('ends with the one that holds payouts, though another does not answer', () => {
    const campaign = selected();
    campaign.checked([silent, holder]);
    expect(campaign.stopped).toBe(true);
    expect(campaign.state().attention_detail).toContain('Bulk retry nov-2, which is paused');
    expect(campaign.state().attention_detail).not.toContain('nov-1');
  });
});
