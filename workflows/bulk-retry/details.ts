import type { BulkRetryPageProgress, BulkRetryState } from '../../src/contract/bulk-retry.js';
import { outcomeNames, retryOutcomes } from '../../src/domain/bulk-retry.js';
import { decimalText } from '../../src/domain/money.js';
import { plain, timelineLine } from '../shared/details.js';

const shownGroups = 10;

/** What an operator reads on a bulk retry's page in the Web UI, as Markdown. */
export function bulkRetryDetails(state: BulkRetryState): string {
  const { attention, attention_detail: detail, bulk_retry_id: id, counts, groups, status, values } = state;
  const lines = [
    `### Bulk retry: \`${status}\`${state.dry_run ? ' (dry run: nothing is retried)' : ''}`,
    '',
    `- **Awaiting:** ${state.awaiting}`,
    `- **Reason:** ${plain(state.reason)} (by ${plain(state.by)})`,
    '',
    '| payouts | | R$ |',
    '| --- | ---: | ---: |',
    ...(['matched', ...retryOutcomes] as const).map(
      (outcome) =>
        `| ${outcomeNames[outcome]} | ${String(counts[outcome])} | ${values[outcome].toFixed(2)} |`,
    ),
  ];
  if (state.unanswered.length > 0) {
    lines.push('', `**Not answered, may have been retried:** ${state.unanswered.map(plain).join(', ')}`);
  }
  if (detail !== null) lines.push('', `> **${attention ?? 'stopped'}**: ${plain(detail)}`);
  const command = { canary: 'pause', running: 'pause', paused: 'resume', stopped: 'resume' } as const;
  const next = status in command ? command[status as keyof typeof command] : undefined;
  if (next !== undefined && !state.closed && (status !== 'stopped' || attention !== null)) {
    lines.push('', '```', `durable-payments bulk-retry ${next} ${id} --reason '…'`, '```');
  }
  lines.push('', '| cause | words | payouts | R$ |', '| --- | --- | ---: | ---: |');
  for (const { cause, count, value, words } of groups.slice(0, shownGroups)) {
    lines.push(`| ${plain(cause)} | ${plain(words)} | ${String(count)} | ${value.toFixed(2)} |`);
  }
  if (groups.length > shownGroups) lines.push(`| and ${String(groups.length - shownGroups)} more | | | |`);
  lines.push('', '**Timeline**', '', ...state.timeline.slice(-12).map(timelineLine));
  return lines.join('\n');
}

/** The same for one page. */
export function pageDetails(id: string, page: number, { tallies }: BulkRetryPageProgress): string {
  return [
    `### Page ${String(page)} of the bulk retry ${id}`,
    '',
    '| payouts | | R$ |',
    '| --- | ---: | ---: |',
    ...retryOutcomes.map(
      (outcome) =>
        `| ${outcomeNames[outcome]} | ${String(tallies[outcome].count)} | ${decimalText(tallies[outcome].centavos)} |`,
    ),
  ].join('\n');
}
