import { Command } from 'commander';
import { batchShowCommand } from './batch-show.js';
import { batchStartCommand } from './batch-start.js';

/** `durable-payments batch start|show` */
export function batchCommand(): Command {
  return new Command('batch')
    .description('Payouts by the thousand.')
    .addCommand(batchStartCommand())
    .addCommand(batchShowCommand());
}
