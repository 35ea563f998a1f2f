import { Command } from 'commander';
import { payoutAbandonCommand, payoutWithdrawCommand } from './payout-abandon.js';
import { payoutExportCommand } from './payout-export.js';
import { payoutResolveCommand } from './payout-resolve.js';
import { payoutRetryCommand } from './payout-retry.js';
import { payoutStartCommand } from './payout-start.js';
import { payoutUnknownCommand } from './payout-unknown.js';
import { acknowledgeCommand, type Acknowledgeable, type Find, type Resolvable } from './shared/decisions.js';
import { listPayoutsCommand } from './shared/list-command.js';
import { showCommand } from './shared/show-command.js';

const find: Find<Resolvable & Acknowledgeable> = (payments, partnerCode) => payments.payout(partnerCode);

/** `durable-payments payout start|show|list|retry|abandon|withdraw|unknown|export|resolve|acknowledge` */
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
    .addCommand(listPayoutsCommand())
    .addCommand(payoutRetryCommand())
    .addCommand(payoutAbandonCommand())
    .addCommand(payoutWithdrawCommand())
    .addCommand(payoutUnknownCommand())
    .addCommand(payoutExportCommand())
    .addCommand(payoutResolveCommand(find))
    .addCommand(acknowledgeCommand(find));
}
