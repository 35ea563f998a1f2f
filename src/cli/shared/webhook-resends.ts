import type { WebhookResendHandle, WebhookResendState } from '../../client.js';
import { exitCodes } from './exit-codes.js';
import { follow, interrupted } from './follow.js';
import { printAtOnce } from './output.js';
import type { JsonOption } from './output.js';

/** How far a resend is, for people. */
export function webhookResendText({ by, counts, resend_id: id, status }: WebhookResendState): string {
  const { payments, resent, unreadable, waiting } = counts;
  const lines = [
    `Resend ${id}: ${status} (${by})`,
    `payments looked at            ${String(payments)}`,
    `notifications sent again      ${String(resent)}`,
    `still on their way, tried now ${String(waiting)}`,
  ];
  if (unreadable > 0) lines.push(`payments not readable         ${String(unreadable)}`);
  return lines.join('\n');
}

/** Waits until a resend is over, then prints it. Ctrl-C ends only the waiting. Answers the exit code. */
export async function followWebhookResend(resend: WebhookResendHandle, options: JsonOption): Promise<number> {
  const state = await follow(
    () => resend.state(),
    ({ closed }) => closed,
  );
  if (state?.closed === true) {
    printAtOnce(state, options, webhookResendText);
    return state.counts.unreadable > 0 ? exitCodes.refused : exitCodes.done;
  }
  console.error(
    `\nThe resend goes on without this command:\n  durable-payments webhook show ${resend.resendId}`,
  );
  return interrupted;
}
