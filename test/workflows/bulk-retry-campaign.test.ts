import { describe, expect, test } from 'vitest';
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
