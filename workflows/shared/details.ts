import type { Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import type { CommonState } from './payment-record.js';

const titles: Record<PaymentKind, string> = {
  card_order: 'Card order',
  hosted_checkout: 'Hosted checkout',
  three_d_secure_order: '3D Secure order',
  refund: 'Refund',
  payout: 'Payout',
  account_validation: 'Account validation',
};

/** The Update that ends an attention, with an input to start from; null where no command of ours does. */
const commands: Record<Attention, { name: string; input: string } | null> = {
  paid_twice: { name: 'acknowledgeAttention', input: '{"reason":"surplus recovered","by":"you"}' },
  payout_returned: {
    name: 'retryPayout',
    input: '{"attempt":1,"reason":"the money has come back","by":"you"}',
  },
  chargeback: { name: 'acknowledgeAttention', input: '{"reason":"disputed","by":"you"}' },
  inconsistent_answer: {
    name: 'acknowledgeAttention',
    input: '{"reason":"corrected at the service","by":"you"}',
  },
  submission_unknown: {
    name: 'resolveSubmission',
    input: '{"service_id":"…","reason":"found by partner_code","by":"you"}',
  },
  payout_failed: {
    name: 'retryPayout',
    input: '{"corrections":{},"reason":"the cause is gone","by":"you"}',
  },
  refund_failed: { name: 'retryRefund', input: '{"reason":"cause is gone","by":"you"}' },
  refund_unconfirmed: {
    name: 'resolveRefund',
    input: '{"outcome":"refunded","reason":"seen at the service","by":"you"}',
  },
  awaiting_card: { name: 'provideCard', input: '{"card_ref":"…","task_queue":"card-desk-…"}' },
  not_sent: null,
  unreadable: {
    name: 'resolveSubmission',
    input: '{"service_id":"…","reason":"the right identifier","by":"you"}',
  },
  unrecognised_status: { name: 'acknowledgeAttention', input: '{"reason":"asked the service","by":"you"}' },
  overdue: { name: 'acknowledgeAttention', input: '{"reason":"asked the service","by":"you"}' },
  invalid_input: null,
};

/**
 * What an operator reads on the workflow's page in the Web UI, as Markdown: what happened, what is awaited, what
 * it means for the money, and the command that acts.
 */
export function currentDetails(kind: PaymentKind, state: CommonState): string {
  const lines = [
    `### ${titles[kind]}${state.value === 0 ? '' : ` of R$ ${state.value.toFixed(2)}`}: \`${state.status}\``,
    '',
    `- **Awaiting:** ${state.awaiting}${state.next_read_at === null ? '' : ` (next read by ${state.next_read_at})`}`,
    `- **At the service:** ${state.service_id === null ? 'no identifier known' : `\`${state.service_id}\``}`,
  ];
  if (state.last_read !== null) {
    lines.push(
      `- **Last read:** ${state.last_read.at}, due by ${state.last_read.cause}: \`${state.last_read.status ?? 'unreadable'}\``,
    );
  }
  if (state.refusal !== null) lines.push(`- **The service's words:** ${plain(state.refusal)}`);
  if (state.attention !== null) lines.push('', ...attentionLines(state.attention, state));
  lines.push('', '**Timeline**', '', ...state.timeline.slice(-12).map(timelineLine));
  return lines.join('\n');
}

function attentionLines(attention: Attention, state: CommonState): string[] {
  const command = commands[attention];
  const lines = [`> **${attention}**: ${plain(state.attention_detail ?? '')}`];
  if (command !== null) {
    lines.push(
      '',
      '```',
      `temporal workflow update execute --workflow-id ${state.workflow_id} --name ${command.name} --input '${command.input}'`,
      '```',
    );
  }
  return lines;
}

function timelineLine({
  at,
  by,
  last_at: lastAt,
  reason,
  times,
  what,
}: CommonState['timeline'][number]): string {
  const who = by === undefined ? '' : ` (by ${plain(by)}${reason === undefined ? '' : `: ${plain(reason)}`})`;
  const repeated = times === undefined ? '' : ` (${String(times)} times, last at ${lastAt ?? at})`;
  return `- ${at} ${plain(what)}${who}${repeated}`;
}

/** Words from outside may not bring Markdown of their own into the operator's page. */
function plain(text: string): string {
  return text.replaceAll(/[<>`*_[\]\\|#]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');
}
