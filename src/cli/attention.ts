import type { Client } from '@temporalio/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { csvText } from '../client/csv.js';
import type { PaymentListing, PaymentsClient } from '../client.js';
import { attentionCommand as actingCommand } from '../domain/attention-commands.js';
import type { Attention } from '../domain/attention.js';
import { attentions } from '../domain/attention.js';
import { bulkRetryKind, paymentKinds } from '../domain/kinds.js';
import type { PaymentKind } from '../domain/kinds.js';
import { payoutStages } from '../domain/payout-stages.js';
import { printableLine } from '../domain/plain-text.js';
import { commandsOf } from '../domain/stage-table.js';
import { viewFleet } from '../health/fleet.js';
import { inWords, type HealthProblem } from '../health/problem.js';
import { findTokenRenewal } from '../health/token-renewal.js';
import { allOpen } from './shared/all-payments.js';
import { age, grouped, groupings, groupsTable, sinceOf } from './shared/attention-groups.js';
import type { AttentionGroup, Grouping } from './shared/attention-groups.js';
import { commandLines, paragraph } from './shared/columns.js';
import { jsonOption, print } from './shared/output.js';
import type { JsonOption } from './shared/output.js';
import { withTemporal } from './shared/payments.js';
import { amount } from './shared/tables.js';

type Options = JsonOption & {
  by?: Grouping;
  kind?: PaymentKind;
  reason?: Attention;
  owner?: string;
  olderThan?: number;
  valueFrom?: number;
  valueTo?: number;
  csv?: true;
};

/** `durable-payments attention` */
export function attentionCommand(): Command {
  return new Command('attention')
    .description(
      'List the open payments that need an operator, the oldest first, with the command that acts.',
    )
    .addOption(new Option('--by <what>', 'only how many there are of each, and their sum').choices(groupings))
    .addOption(new Option('--kind <kind>', 'only payments of this kind').choices(paymentKinds))
    .addOption(
      new Option('--reason <reason>', 'only those that need an operator for this').choices(attentions),
    )
    .option('--owner <name>', 'only those that the API key of this name has started')
    .option('--older-than <age>', 'only those that are so for longer: 30m, 2h, 3d', ageMs)
    .option('--value-from <reais>', 'only those of this value or more', reais)
    .option('--value-to <reais>', 'only those of this value or less', reais)
    .option('--csv', 'print CSV for spreadsheets')
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const { waiting, problems } = await withTemporal(async ({ client, taskQueue, payments }) => {
        const [listed, found] = await Promise.all([
          openWithAttention(payments, options),
          fleetProblems(client, taskQueue),
        ]);
        return { waiting: listed, problems: found };
      });
      // What is read by a program stays what it was.
      const forPeople = options.json !== true && options.csv !== true;
      for (const problem of problems) {
        const line = printableLine(`${problem.check}: ${inWords(problem)} → ${problem.action}`);
        if (forPeople) console.log(`${paragraph(line)}\n`);
        else console.error(line);
      }
      const { by } = options;
      const areOthers = problems.some(({ check }) => check === 'workflow_tasks');
      if (options.csv === true)
        process.stdout.write(by === undefined ? csv(waiting) : groupsCsv(grouped(waiting, by)));
      else if (by === undefined) print(waiting, options, (payments) => waitingText(payments, areOthers));
      else print(grouped(waiting, by), options, (groups) => groupsTable(groups, by));
    });
}

async function openWithAttention(payments: PaymentsClient, filter: Options): Promise<PaymentListing[]> {
  const { kind, reason, owner, olderThan = 0, valueFrom = 0, valueTo = Infinity } = filter;
  const before = Date.now() - olderThan;
  const found = await allOpen(payments, {
    kinds: kind === undefined ? [...paymentKinds, bulkRetryKind] : [kind],
    attention: reason ?? 'any',
    ...(owner === undefined ? {} : { owner }),
  });
  return found
    .filter((payment) => Date.parse(sinceOf(payment)) <= before)
    .filter(({ value }) => (value ?? 0) >= valueFrom && (value ?? 0) <= valueTo)
    .sort((a, b) => sinceOf(a).localeCompare(sinceOf(b)));
}

/** What keeps payments from moving: nobody may need to look at single ones before that is mended. */
async function fleetProblems(client: Client, taskQueue: string): Promise<readonly HealthProblem[]> {
  const tokenRenewalId = await findTokenRenewal(client, taskQueue).catch(() => null);
  const target = { client, taskQueue, tokenRenewalId, baseUrl: null, cardTaskQueue: null };
  return (await viewFleet(target)).problems;
}

/** Every payment that waits, with the command that acts on it: its words may be somebody else's. */
export function waitingText(waiting: readonly PaymentListing[], areOthers = false): string {
  if (waiting.length === 0) return `No ${areOthers ? 'other ' : ''}payment needs an operator.`;
  const each = waiting.map((payment) => {
    const words = [
      payment.partner_code ?? payment.workflow_id,
      ...[payment.attention, payment.cause, amount(payment.value), `for ${age(sinceOf(payment))}`],
    ];
    const shown = words.filter((word) => word !== null && word !== '').join(' · ');
    return [printableLine(shown), commandLines(commandFor(payment))].join('\n');
  });
  return [groupsTable(grouped(waiting, 'reason'), 'reason'), '', ...each].join('\n');
}

function csv(waiting: readonly PaymentListing[]): string {
  const head = [
    'partner_code',
    'kind',
    'attention',
    'cause',
    'status',
    'value',
    'since',
    'started_by',
    'workflow_id',
  ];
  const rows = waiting.map((payment) => [
    ...[payment.partner_code, payment.kind, payment.attention, payment.cause, payment.status],
    ...[payment.value?.toFixed(2) ?? null, sinceOf(payment), payment.started_by, payment.workflow_id],
  ]);
  return csvText([head, ...rows]);
}

function groupsCsv(groups: readonly AttentionGroup[]): string {
  const rows = groups.map(({ group, count, value, since }) => [
    group,
    String(count),
    value.toFixed(2),
    since,
  ]);
  return csvText([['group', 'payments', 'value', 'since'], ...rows]);
}

function ageMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (unitMs === undefined) throw new InvalidArgumentError('It must be a number and m, h or d, such as 2h.');
  return Number(number) * unitMs;
}

function reais(text: string): number {
  if (/^\d{1,9}([.]\d{1,2})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an amount in reais, such as 150.50.');
}

/** A payout that has a cause has failed by now, and takes a decision. Of others nobody knows their stage here. */
const takenOnceFailed = [...commandsOf(payoutStages.decide), 'acknowledgeAttention' as const];

function commandFor({
  attention,
  cause,
  kind,
  partner_code: code,
  workflow_id: id,
}: PaymentListing): readonly string[] {
  const known = attentions.find((name) => name === attention);
  if (known === undefined) return [];
  const taken = kind === 'payout' && cause !== null ? { commands: takenOnceFailed } : undefined;
  const named = code ?? id.replace(/^bulk-retry-/, '');
  const [command = '', ...options] = actingCommand(kind, named, known, taken);
  return [command.replace(/^durable-payments /, ''), ...options];
}
