import { Command } from 'commander';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operator, withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

/** `durable-payments payout abandon <partner_code>` */
export function payoutAbandonCommand(): Command {
  return giveUp('abandon').description('Give a failed payout up. It goes on being read through its watch.');
}

/** `durable-payments payout withdraw <partner_code>`: the same command under the name that fits before a send. */
export function payoutWithdrawCommand(): Command {
  return giveUp('withdraw').description(
    'Take back a payout that waits to be sent: nothing is sent. Of one that failed it is the same as abandon.',
  );
}

function giveUp(name: string): Command {
  return new Command(name)
    .argument('<partner_code>')
    .requiredOption('--reason <text>', "kept in the payment's timeline")
    .addOption(jsonOption())
    .action(async (partnerCode: string, options: JsonOption & { reason: string }) => {
      const state = await withPayments((payments) =>
        payments.payout(partnerCode).abandon(operator(options.reason)),
      );
      print(state, options, stateText);
    });
}
