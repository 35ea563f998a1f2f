import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { InvalidRequestError } from '../client.js';
import type { PayoutInput } from '../client.js';
import { payoutInput } from '../contract/payout.js';
import { fieldProblems } from '../contract/problems.js';
import { UsageError } from './shared/exit.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { stateText } from './shared/tables.js';

type Options = JsonOption & { method: PayoutInput['method']; wait: boolean };

const firstAnswerSeconds = 20;

/** `durable-payments payout start <file>` */
export function payoutStartCommand(): Command {
  return new Command('start')
    .description('Start a payout from a JSON file, or find the one that the same request started before.')
    .argument('<file>', 'the body of POST /v1/payouts/{method}; - reads it from standard input')
    .addOption(new Option('--method <method>', 'how it is paid').choices(['pix', 'transfer']).default('pix'))
    .option('--no-wait', "don't wait for the service's first answer")
    .addOption(jsonOption())
    .addHelpText('after', '\nA file, for what stands on a command line is seen by all users of the machine.')
    .action(async (file: string, { method, wait, ...options }: Options) => {
      const request = requestIn(await contentOf(file), method);
      const state = await withPayments(async (payments) => {
        const { payment } = await payments.startPayout(request);
        return wait
          ? payment.awaitStatus({ statuses: [], timeout_seconds: firstAnswerSeconds })
          : payment.state();
      });
      print(state, options, stateText);
    });
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin);
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} can't be read. Nothing was started.`);
  });
}

function requestIn(content: string, method: PayoutInput['method']): PayoutInput {
  const parsed = payoutInput.safeParse({ ...objectIn(content), method });
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(fieldProblems(parsed.error));
}

function objectIn(content: string): object {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below: the parser's own words quote the content.
  }
  throw new UsageError('That is not a JSON object. Nothing was started.');
}
