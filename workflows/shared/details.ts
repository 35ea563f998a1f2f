import type { PaymentState } from '../../src/contract/state.js';
import { nextCommand } from '../../src/domain/attention-commands.js';
import { kindTitles } from '../../src/domain/kinds.js';
import type { TimelineEntry } from '../../src/domain/timeline.js';

/**
 * What an operator reads on the workflow's page in the Web UI, as Markdown: what happened, what is awaited, what
 * it means for the money, and the command that acts.
 */
export function currentDetails(state: PaymentState): string {
  const { value } = state;
  const lines = [
    `### ${kindTitles[state.kind]}${value === null || value === 0 ? '' : ` of R$ ${value.toFixed(2)}`}: \`${state.status}\``,
    '',
    `- **Awaiting:** ${state.awaiting}${state.next_read_at === null ? '' : ` (next read by ${state.next_read_at})`}`,
    ...state.pending_commands.map(
      ({ by, command, until }) =>
        `- **Executes:** \`${command}\`${by === null ? '' : ` by ${plain(by)}`}, until ${until} at the latest`,
    ),
    ...(state.commands.length === 0
      ? []
      : [`- **Takes:** ${state.commands.map((name) => `\`${name}\``).join(', ')}`]),
    ...paysLine(state),
    `- **At the service:** ${state.service_id === null ? 'no identifier known' : code(state.service_id)}`,
  ];
  if (state.last_read !== null) {
    lines.push(
      `- **Last read:** ${state.last_read.at}, by ${state.last_read.cause}: ${code(state.last_read.status ?? 'unreadable')}`,
    );
  }
  if (state.refusal !== null) lines.push(`- **The service's words:** ${plain(state.refusal)}`);
  if (state.attention !== null) lines.push('', ...attentionLines(state));
  lines.push('', '**Timeline**', '', ...state.timeline.slice(-12).map(timelineLine));
  return lines.join('\n');
}

function paysLine(state: PaymentState): string[] {
  const payee = state.kind === 'payout' ? (state.payee ?? null) : null;
  return payee === null ? [] : [`- **Pays:** ${plain(payee)}`];
}

function attentionLines(state: PaymentState): string[] {
  const command = nextCommand(state);
  const lines = [`> **${String(state.attention)}**: ${plain(state.attention_detail ?? '')}`];
  return command.length === 0 ? lines : [...lines, '', '```', command.join(' \\\n  '), '```'];
}

/** One line of a timeline, as Markdown. */
export function timelineLine({ at, by, last_at: lastAt, reason, times, what }: TimelineEntry): string {
  const who = by === undefined ? '' : ` (by ${plain(by)}${reason === undefined ? '' : `: ${plain(reason)}`})`;
  const repeated = times === undefined ? '' : ` (${String(times)} times, last at ${lastAt ?? at})`;
  return `- ${at} ${plain(what)}${who}${repeated}`;
}

/** Words from outside may not bring Markdown or links of their own into the operator's page. */
export function plain(text: string): string {
  return text
    .replaceAll(/[<>`*_[\]\\|#]/g, (character) => `\\${character}`)
    .replaceAll(/(:\/\/|www\.)/gi, (begin) => `${begin} `)
    .replaceAll(/\s+/g, ' ');
}

/** As code, which ends at the first backtick. */
function code(text: string): string {
  return `\`${text.replaceAll('`', '’')}\``;
}
