import { expect, test } from 'vitest';
import { attentions, needsDecision } from '../../src/domain/attention.js';
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
