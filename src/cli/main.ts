#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { accountValidationCommand } from './account-validation.js';
import { attentionCommand } from './attention.js';
import { batchCommand } from './batch.js';
import { demoCommand } from './demo.js';
import { gatewayCommand } from './gateway.js';
import { orderCommand } from './order.js';
import { payoutCommand } from './payout.js';
import { reconcileCommand } from './reconcile.js';
import { refundCommand } from './refund.js';
import { sandboxCommand } from './sandbox.js';
import { exitCodes, exitCodesHelp, explain } from './shared/exit.js';
import { startCommand } from './start.js';
import { workerCommand } from './worker.js';

const program = new Command('durable-payments')
  .description('Payments that never charge or pay twice: orders and payouts as durable workflows.')
  .addHelpText('after', exitCodesHelp)
  .configureHelp({ showGlobalOptions: true })
  .addCommand(startCommand())
  .addCommand(demoCommand())
  .addCommand(gatewayCommand())
  .addCommand(workerCommand())
  .addCommand(sandboxCommand())
  .addCommand(orderCommand())
  .addCommand(refundCommand())
  .addCommand(payoutCommand())
  .addCommand(batchCommand())
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
