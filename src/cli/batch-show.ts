import { Command } from 'commander';
import { batchText } from './shared/batches.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';

/** `durable-payments batch show <batch_id>` */
export function batchShowCommand(): Command {
  return new Command('show')
    .description('Show how far a batch has come, and which of its rows started nothing.')
    .argument('<batch_id>')
    .addOption(jsonOption())
    .action(async (batchId: string, options: JsonOption) => {
      const state = await withPayments((payments) => payments.payoutBatch(batchId, { payouts: true }));
      print(state, options, batchText);
    });
}
