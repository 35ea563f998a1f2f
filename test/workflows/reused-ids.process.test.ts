import { describe, expect } from 'vitest';
import { freshCode, pixPayout } from '../support/requests.js';
import { test } from '../support/resets.js';
import { whereThereIs } from '../support/tools.js';
import { isHere, starters } from './starters/starters.js';

describe.for(Object.entries(starters))('with the defaults of %s', ([starter, start]) => {
  test.runIf(whereThereIs(starter, isHere(starter)))(
    'a payout is not paid again after it was terminated, nor after it was closed at the end of its watch',
    async ({ stack }) => {
      const [terminated, closed] = [freshCode(), freshCode()];
      const first = (code: string) => stack.startPayout(code, '', { poll_scale: 0.0005, watch_days: 0 });
      await stack.working(async () => {
        const [lost, watched] = [await first(terminated), await first(closed)];
        for (const payout of [lost, watched]) await stack.untilStatus(payout, 'claimed');
        await lost.terminate('by mistake');
        stack.sandbox.setPayoutStatus(closed, 'done');
        await watched.result();
        for (const code of [terminated, closed]) {
          await start({
            ...stack.server.place,
            address: stack.server.address,
            ...{ type: 'payout', workflowId: `payout-${code}`, taskQueue: stack.taskQueue },
            input: pixPayout(code, '', { poll_scale: 0.0005 }),
          });
          const again: unknown = await stack.current({ workflowId: `payout-${code}` }).result();
          const error = expect.stringContaining('The workflow id was used before') as string;
          expect(again).toMatchObject({
            status: 'rejected',
            attention: 'invalid_input',
            attempts: [{ error }],
          });
        }
      });
      for (const code of [terminated, closed])
        expect(stack.sandbox.ledger(code).payouts).toMatchObject([{ times_created: 1 }]);
    },
  );
});
