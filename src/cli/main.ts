#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { accountValidationCommand } from './account-validation.js';
import { attentionCommand } from './attention.js';
import { batchShowCommand } from './batch-show.js';
import { batchStartCommand } from './batch-start.js';
import { demoCommand } from './demo.js';
import { gatewayCommand } from './gateway.js';
import { orderShowCommand } from './order-show.js';
import { payoutAbandonCommand } from './payout-abandon.js';
import { payoutListCommand } from './payout-list.js';
import { payoutRetryCommand } from './payout-retry.js';
import { payoutShowCommand } from './payout-show.js';
import { payoutStartCommand } from './payout-start.js';
import { reconcileCommand } from './reconcile.js';
import { refundCommand } from './refund.js';
import { sandboxCommand } from './sandbox.js';
import { acknowledgeCommand, resolveCommand, type Find } from './shared/decisions.js';
import { exitCodes, exitCodesHelp, explain } from './shared/exit.js';
import { startCommand } from './start.js';
import { workerCommand } from './worker.js';

const theOrder: Find = (payments, partnerCode) => payments.order(partnerCode);
const thePayout: Find = (payments, partnerCode) => payments.payout(partnerCode);

const program = new Command('durable-payments')
  .description('Payments that never charge or pay twice: orders and payouts as durable workflows.')
  .addHelpText('after', exitCodesHelp)
  .configureHelp({ showGlobalOptions: true })
  .addCommand(startCommand())
  .addCommand(demoCommand())
  .addCommand(gatewayCommand())
  .addCommand(workerCommand())
  .addCommand(sandboxCommand())
  .addCommand(
    new Command('order')
      .description('Orders by card, hosted checkout and 3D Secure.')
      .addCommand(orderShowCommand())
      .addCommand(resolveCommand(theOrder))
      .addCommand(acknowledgeCommand(theOrder)),
  )
  .addCommand(refundCommand())
  .addCommand(
    new Command('payout')
      .description('Payouts by pix and bank transfer.')
      .addCommand(payoutStartCommand())
      .addCommand(payoutShowCommand())
      .addCommand(payoutListCommand())
      .addCommand(payoutRetryCommand())
      .addCommand(payoutAbandonCommand())
      .addCommand(resolveCommand(thePayout))
      .addCommand(acknowledgeCommand(thePayout)),
  )
  .addCommand(
    new Command('batch')
      .description('Payouts by the thousand.')
      .addCommand(batchStartCommand())
      .addCommand(batchShowCommand()),
  )
  .addCommand(accountValidationCommand())
  .addCommand(attentionCommand())
  .addCommand(reconcileCommand());

exitEarly(program);
try {
  await program.parseAsync();
} catch (error) {
  // Not by exitCode: what was begun before a failure, such as the SDK's runtime, must not keep the process alive.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
  process.exit(explain(error));
}

/** Wrong usage ends with our own exit code, not with commander's. */
function exitEarly(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) exitEarly(sub);
}
