import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { BulkRetryCommand } from '../../src/contract/bulk-retry.js';
import { messageProblem } from '../../src/domain/command-messages.js';
import { bulkRetryQuery, bulkRetryUpdates, pageProgressSignal } from '../messages.js';
import { toFailure } from '../shared/handlers.js';
import { notTakenInTime } from '../shared/incoming.js';
import { Refused } from '../../src/domain/refused.js';
import type { Campaign } from './campaign.js';

/**
 * Registers the handlers of a bulk retry, before its first await. What has been answered to `pause` and `stop` is true:
 * the answer waits until no page retries anything any more.
 */
export function registerHandlers(campaign: Campaign, changed: () => void): void {
  setHandler(bulkRetryQuery, () => campaign.state());
  setHandler(pageProgressSignal, (progress) => {
    campaign.applyProgress(progress);
    changed();
  });
  for (const name of ['pause', 'resume', 'stop'] as const) {
    setHandler(
      bulkRetryUpdates[name],
      async (command: BulkRetryCommand) => {
        campaign[name](command);
        changed();
        if (name !== 'resume') await condition(() => campaign.isIdle);
        return campaign.state();
      },
      {
        validator: (command: BulkRetryCommand | undefined) => {
          const problem = messageProblem(name, command);
          const refused =
            problem === undefined
              ? (notTakenInTime(command, Date.now()) ?? campaign.refusalOf(name))
              : new Refused('InvalidMessage', problem);
          if (refused !== undefined) throw toFailure(refused);
        },
      },
    );
  }
  CancellationScope.current().cancelRequested.catch(() => {
    if (campaign.refusalOf('stop') !== undefined) return;
    campaign.stop({ reason: 'by a cancel request' });
    changed();
  });
}
