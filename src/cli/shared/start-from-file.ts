import { Command } from 'commander';
import type { AwaitStatus } from '../../contract/messages.js';
import type { PaymentState, PaymentsClient } from '../../client.js';
import { jsonOption, print } from './output.js';
import type { JsonOption } from './output.js';
import { withPayments } from './payments.js';
import { contentOf, objectIn, whyFiles } from './request-file.js';
import { stateText } from './tables.js';

/** The handle of a payment that was started. */
type Payment<State> = { awaitStatus(wait: AwaitStatus): Promise<State>; state(): Promise<State> };

/** Starts a payment whose request was found good. */
export type Begin = (payments: PaymentsClient) => Promise<{ payment: Payment<PaymentState> }>;

type Options = JsonOption & { wait: boolean };

const firstAnswerSeconds = 20;

/**
 * `… start <file>`
 *
 * @param body whose body the file holds, such as POST /v1/payouts/{method}
 * @param check returns how to start what the file requests, or throws what is wrong with it
 */
export function startFromFile<More extends object>(
  body: string,
  check: (request: object, options: More) => Begin,
): Command {
  return new Command('start')
    .argument('<file>', `the body of ${body}; - reads it from standard input`)
    .option('--no-wait', "don't wait for the service's first answer")
    .addOption(jsonOption())
    .addHelpText('after', whyFiles)
    .action(async (file: string, options: Options & More) => {
      const begin = check(objectIn(await contentOf(file)), options);
      const state = await withPayments(async (payments) => {
        const { payment } = await begin(payments);
        return options.wait ? firstState(payment) : payment.state();
      });
      print(state, options, stateText);
    });
}

/** What the service first answered for a payment, or what is known of it when that takes long. */
export function firstState<State>(payment: Payment<State>): Promise<State> {
  return payment.awaitStatus({ statuses: [], timeout_seconds: firstAnswerSeconds });
}
