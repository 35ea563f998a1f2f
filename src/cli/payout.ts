import { Command } from 'commander';
import { payoutAbandonCommand } from './payout-abandon.js';
import { payoutRetryCommand } from './payout-retry.js';
import { payoutStartCommand } from './payout-start.js';
import {
  acknowledgeCommand,
  resolveCommand,
  type Acknowledgeable,
  type Find,
  type Resolvable,
} from './shared/decisions.js';
import { listCommand } from './shared/list-command.js';
import { showCommand } from './shared/show-command.js';

const find: Find<Resolvable & Acknowledgeable> = (payments, partnerCode) => payments.payout(partnerCode);

/** `durable-payments payout start|show|list|retry|abandon|resolve|acknowledge` */
export function payoutCommand(): Command {
  return new Command('payout')
    .description('Payouts by pix and bank transfer.')
    .addCommand(payoutStartCommand())
    .addCommand(
      showCommand(
        'Show a payout: its status, whether it needs an operator, its attempts, its timeline.',
        (payments, partnerCode) => payments.payout(partnerCode).state(),
      ),
    )
    .addCommand(listCommand('payouts', ['payout']))
    .addCommand(payoutRetryCommand())
    .addCommand(payoutAbandonCommand())
    .addCommand(resolveCommand(find))
    .addCommand(acknowledgeCommand(find));
}
