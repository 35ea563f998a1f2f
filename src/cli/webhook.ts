import { Command } from 'commander';
import type { NotificationList, WebhookPingResult } from '../client.js';
import { exitCodes } from './shared/exit-codes.js';
import { columns } from './shared/columns.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withPayments } from './shared/payments.js';
import { followWebhookResend, webhookResendText } from './shared/webhook-resends.js';
import { webhookResendCommand } from './webhook-resend.js';

/** `durable-payments webhook ping|list|resend|show` */
export function webhookCommand(): Command {
  return new Command('webhook')
    .description('Notifications by webhook: a test, what became of them, sending them again.')
    .addCommand(pingCommand())
    .addCommand(listCommand())
    .addCommand(webhookResendCommand())
    .addCommand(showCommand());
}

function pingCommand(): Command {
  return new Command('ping')
    .description('Call a webhook once with a message about no payment, to see whether it is reached.')
    .argument('<webhook>', 'its name or URL, as NOTIFY_TARGETS of the workers has it')
    .addOption(jsonOption())
    .action(async (webhook: string, options: JsonOption) => {
      const result = await withPayments((payments) => payments.pingWebhook({ webhook }));
      print(result, options, pingText);
      process.exitCode = result.delivered ? exitCodes.done : exitCodes.refused;
    });
}

function pingText({ delivered, id, reason, webhook }: WebhookPingResult): string {
  return delivered ? `The webhook ${webhook} has taken the ping (webhook-id ${id}).` : (reason ?? '');
}

function listCommand(): Command {
  return new Command('list')
    .description('The notifications of a payment by webhook, and what became of each.')
    .argument('<workflow_id>', 'such as payout-invoice-4711')
    .addOption(jsonOption())
    .action(async (workflowId: string, options: JsonOption) => {
      const list = await withPayments((payments) => payments.notifiedPayment(workflowId).notifications());
      print(list, options, listText);
    });
}

function listText({ notifications, complete }: NotificationList): string {
  const more = 'Not all of its history was read: earlier ones may be missing, and resent ones delivered.';
  return [tableOf(notifications, complete), ...(complete ? [] : [more])].join('\n');
}

function tableOf(notifications: NotificationList['notifications'], complete: boolean): string {
  if (notifications.length === 0)
    return complete ? 'There are none by webhook.' : 'None by webhook was found.';
  return columns(
    ['sequence', 'seen', 'status', 'attention', 'webhook', 'delivery'],
    notifications.map(({ at, delivery, payment, sequence, webhook }) => [
      String(sequence),
      at.slice(0, 19).replace('T', ' '),
      payment.status,
      payment.attention ?? '',
      webhook,
      delivery.replace('_', ' '),
    ]),
  );
}

function showCommand(): Command {
  return new Command('show')
    .description('Show how far a resend is.')
    .argument('<resend_id>')
    .option('--follow', 'stay until it is over; Ctrl-C leaves it running')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption & { follow?: true }) => {
      process.exitCode = await withPayments(async (payments) => {
        const resend = payments.webhookResend(id);
        const state = await resend.state();
        if (options.follow === true) return followWebhookResend(resend, options);
        print(state, options, webhookResendText);
        return exitCodes.done;
      });
    });
}
