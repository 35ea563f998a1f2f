import { expect, test } from 'vitest';
import { attentions, needsDecision } from '../../src/domain/attention.js';
import type { StageTable } from '../../src/domain/stage-table.js';
import { stagesOfKind } from '../../src/domain/stages.js';
import { registrationCommand } from '../../src/temporal/search-attributes.js';
import { documents, section, textOf } from './markdown.js';

const operations = textOf('docs/operations.md');
const attentionSections = section(operations, 'When a payment needs an operator');

test('each attention has its section, and nothing else has', () => {
  const headings = [...attentionSections.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...attentions]);
});

test.each(attentions)(
  '%s: what it is, the money, how to find it, what to do, and a command for it',
  (attention) => {
    const text = section(operations, attention);
    for (const part of ['What it is.', 'The money.', 'Find them.', 'Act.', 'Acknowledge']) {
      expect(text).toContain(`- **${part}**`);
    }
    const find = /- \*\*Find them\.\*\*(.*)/.exec(text)?.[1];
    expect(find).toMatch(new RegExp(`PaymentAttention="${attention}"|--attention ${attention}\``));
    expect(text).toMatch(/^```sh\n/m);
    expect(text.includes('- **Acknowledge**: refused')).toBe(needsDecision(attention));
  },
);

test('the command for search attributes is the one that the program prints', () => {
  expect(operations).toContain(`\n${registrationCommand('default')}\n`);
});

test.each(documents().filter((path) => path.startsWith('docs/decisions/')))(
  '%s is a record of one page',
  (path) => {
    const text = textOf(path);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(text.split(/\s+/).length).toBeLessThan(550);
  },
);

test('the table of commands by stage is the one that payments go by', () => {
  const text = section(operations, 'Which command a payment takes');
  const rows = text.matchAll(/^\| ([\w ]+) \| `(\w+)` \| [^|]+ \| (.*)\|$/gm);
  const documented = [...rows].map(([, payment, stage, takes = '']) => [
    `${payment ?? ''}: ${stage ?? ''}`,
    takes.split(',').flatMap((name) => name.replaceAll('`', '').trim() || []),
  ]);
  const of = (payment: string, table: StageTable) =>
    Object.entries(table)
      .filter(([stage]) => stage !== 'closed')
      .map(([stage, takes]) => [`${payment}: ${stage}`, [...takes]]);
  const { hosted_checkout: everyOrders, card_order, three_d_secure_order } = stagesOfKind;
  const own = (table: StageTable) =>
    Object.fromEntries(Object.entries(table).filter(([stage]) => !(stage in everyOrders)));
  expect(documented).toEqual([
    ...of('payout', stagesOfKind.payout),
    ...of('order', everyOrders),
    ...of('card order', own(card_order)),
    ...of('3D Secure order', own(three_d_secure_order)),
    ...of('refund', stagesOfKind.refund),
    ...of('account validation', stagesOfKind.account_validation),
    ['any: closed', []],
  ]);
});
