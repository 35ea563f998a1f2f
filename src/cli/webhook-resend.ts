import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { webhookResendBody } from '../contract/webhook-resend.js';
import { fieldProblems } from '../contract/problems.js';
import { UsageError } from './shared/exit.js';
import { jsonOption } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { operatorName, withPayments } from './shared/payments.js';
import { followWebhookResend } from './shared/webhook-resends.js';

type Options = JsonOption & {
  id?: string;
  sequence?: string;
  undelivered?: true;
  seenAfter?: string;
  seenBefore?: string;
  webhook?: string;
  owner?: string;
  perSecond?: string;
};

/** `durable-payments webhook resend [workflow_id]` */
export function webhookResendCommand(): Command {
  return new Command('resend')
    .description('Send notifications again: of one payment, or of all that have changed since a moment.')
    .argument('[workflow_id]', 'of one payment, such as payout-invoice-4711')
    .option('--sequence <n>', 'of one payment: this notification, or a range such as 3-5')
    .option('--seen-after <moment>', 'changes seen since then, such as 2026-05-01T00:00:00Z')
    .option('--seen-before <moment>', 'changes seen before then')
    .option('--undelivered', 'only what was not delivered')
    .option('--webhook <webhook>', 'only to this webhook, as the payments were started with it')
    .option('--owner <key>', 'of payments that the API key of this name has started')
    .option('--per-second <n>', 'so many payments a second (10 unless given)')
    .option('--id <resend_id>', 'its idempotency key; made up unless given')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nIds and sequences stay as they were. Ctrl-C leaves it running: `durable-payments webhook show`.',
    )
    .action(async (workflowId: string | undefined, options: Options) => {
      const request = { ...requestOf(workflowId, options), by: operatorName() };
      process.exitCode = await withPayments(async (payments) => {
        if (workflowId !== undefined) await payments.notifiedPayment(workflowId).execution();
        const { resend } = await payments.startWebhookResend(request);
        return followWebhookResend(resend, options);
      });
    });
}

/** @throws UsageError naming the option at fault */
function requestOf(workflowId: string | undefined, options: Options) {
  const { id, owner, perSecond, seenAfter, seenBefore, sequence, undelivered, webhook } = options;
  const [from, ...rest] = sequence?.split('-') ?? [];
  const to = rest.length === 0 ? from : rest.join('-');
  const given = {
    workflow_id: workflowId,
    sequence_from: numberIn(from),
    sequence_to: numberIn(to),
    seen_after: seenAfter,
    seen_before: seenBefore,
    undelivered,
    webhook,
    owner,
    per_second: numberIn(perSecond),
  };
  const parsed = webhookResendBody.safeParse({
    resend_id: id ?? `resend-${randomUUID()}`,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  });
  if (parsed.success) return parsed.data;
  const faults = fieldProblems(parsed.error).map(({ field, message }) => `${flagOf(field)} ${message}`);
  throw new UsageError(`${[...new Set(faults)].join('\n')}\nNothing was sent.`);
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const flags: Readonly<Record<string, string>> = {
  resend_id: '--id',
  workflow_id: '<workflow_id>',
  sequence_from: '--sequence',
  sequence_to: '--sequence',
};

function flagOf(field: string): string {
  return flags[field] ?? `--${field.replaceAll('_', '-')}`;
}
