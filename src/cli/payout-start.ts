import { Option, type Command } from 'commander';
import { pixPayoutBody, transferPayoutBody } from '../contract/payout.js';
import { checked } from './shared/request-file.js';
import { startFromFile, type Begin } from './shared/start-from-file.js';

type Options = { method: 'pix' | 'transfer' };

/** `durable-payments payout start <file>` */
export function payoutStartCommand(): Command {
  return startFromFile('POST /v1/payouts/{method}', beginPayout)
    .description('Start a payout from a JSON file, or find the one that the same request started before.')
    .addOption(new Option('--method <method>', 'how it is paid').choices(['pix', 'transfer']).default('pix'));
}

function beginPayout(request: object, { method }: Options): Begin {
  const input =
    method === 'pix'
      ? { ...checked(pixPayoutBody, request), method }
      : { ...checked(transferPayoutBody, request), method };
  return (payments) => payments.startPayout(input);
}
