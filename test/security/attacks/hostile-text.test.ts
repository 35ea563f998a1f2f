import { describe, expect, test, vi } from 'vitest';
import type { PaymentListing, PaymentState } from '../../../src/client.js';
import { bulkRetryCsv } from '../../../src/client/bulk-retry-csv.js';
import { csvText } from '../../../src/client/csv.js';
import { waitingText } from '../../../src/cli/attention.js';
import { columns } from '../../../src/cli/shared/columns.js';
import { explain } from '../../../src/cli/shared/exit.js';
import { print } from '../../../src/cli/shared/output.js';
import { stateText, table } from '../../../src/cli/shared/tables.js';
import { abandonPayout } from '../../../src/contract/messages.js';
import { cardOrderInput, hostedCheckoutInput } from '../../../src/contract/order.js';
import { payoutInput } from '../../../src/contract/payout.js';
import { lineFault, printableJson } from '../../../src/domain/plain-text.js';
import { serviceWords } from '../../../src/payments-service/service-words.js';
import { describeError } from '../../../src/processes/logger.js';
import { cardOrder, pixPayout } from '../../gateway/requests.js';
import { leastProcessorMs } from '../../support/processor-time.js';

const clipboard = '\u001b]52;c;cm0gLXJmIH4=\u0007';
const hostile = [
  ...[clipboard, '\u001b[2A\u001b[2K', '\r', '\u0000', '\u007f', '\u009b31m', '\u0085'],
  ...['\u202e', '\u2066', '\u200b', '\u200e', '\ufeff', '\u00ad', '\u{e0041}', '\u2028'],
];
/** Half an emoji, what is no character, and the sign for one that was lost. */
const broken = ['\ud83c', '\uffff', '\ufdd0', '\ufffd'];

describe('a field with control or format characters is refused', () => {
  const { credit_card: _card, ...order } = cardOrder();
  const checkout = (redirect_url: string) => ({
    order: { ...order.order, redirect_url },
    customer: order.customer,
  });
  expect(hostedCheckoutInput.safeParse(checkout('https://shop.example.com/a')).success).toBe(true);

  test.for([...hostile, ...broken].map((text) => [JSON.stringify(text), text] as const))('%s', ([, text]) => {
    const dirty = `a${text}b`;
    const payout = { ...pixPayout(), method: 'pix' };
    for (const [schema, body] of [
      [payoutInput, { ...payout, first_name: dirty }],
      [payoutInput, { ...payout, document: `529.982${text}.247-25` }],
      [payoutInput, { ...payout, pix: `52998224725${text}` }],
      [payoutInput, { ...payout, email: `${dirty}@example.com` }],
      [cardOrderInput, { ...order, order: { ...order.order, description: dirty } }],
      [cardOrderInput, { ...order, customer: { ...order.customer, note: dirty } }],
      [cardOrderInput, { ...order, risk: { [dirty]: 'x' } }],
      [abandonPayout, { reason: dirty }],
    ] as const) {
      expect(schema.safeParse(body).success).toBe(false);
    }
    // In an address line breaks are left out, as browsers do; everything else is refused.
    const { data } = hostedCheckoutInput.safeParse(checkout(`https://shop.example.com/${dirty}`));
    expect(lineFault(data?.order.redirect_url ?? '')).toBeUndefined();
  });

  test('but the joiners that some scripts need are not', () => {
    expect(abandonPayout.safeParse({ by: 'ana', reason: 'می\u200cخواهم 👩\u200d🚀' }).success).toBe(true);
  });
});

describe('what the service answers', () => {
  test('reaches nobody with control or format characters', () => {
    const words = hostile.map((text) => `no${text}body`).join(' ');
    for (const body of [words, JSON.stringify({ message: words }), `<p>${words}</p>`])
      expect(lineFault(serviceWords(body, []) ?? '')).toBeUndefined();
  });

  test('is read without its markup, scripts and styles', () => {
    const page = 'Bad <b class="x">gateway</b><script src=a>let a = "<b>";</script><STYLE>p{}</STYLE> again';
    expect(serviceWords(page, [])).toBe('Bad gateway again');
  });

  test.for([
    '<',
    '<script',
    '<script>',
    '<a',
    '</script',
    '<<>',
    '>',
    '&',
    ' ',
    '"',
    "'",
    '{',
    '\u0000',
    '@',
    'a',
    '\u0301\u0323',
    '4 ',
  ])('as 64 KiB of %j stops nobody for long', (unit) => {
    const msFor = (characters: number) => {
      const body = unit.repeat(characters / unit.length);
      return leastProcessorMs(() => [
        serviceWords(body, ['a-secret-of-the-service']),
        describeError(new Error(body)),
      ]);
    };
    // Eight times the text takes about eight times as long; a search whose time grows with its square takes 64 times.
    expect(msFor(65_536)).toBeLessThan(24 * msFor(8_192) + 20);
  });
});

describe('an operator’s terminal', () => {
  const shown = (run: () => unknown): string => {
    const lines: string[] = [];
    const spies = (['log', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((line: string) => lines.push(line)),
    );
    run();
    for (const spy of spies) spy.mockRestore();
    return lines.join('\n');
  };
  const forged = `refused ${hostile.join('')}\nstatus            done`;
  const hidden = '\u202e=1+1';
  const state = {
    ...{ kind: 'refund', partner_code: 'a', workflow_id: 'refund-a', status: 'submitting', value: 1 },
    ...{
      service_id: null,
      awaiting: forged,
      commands: [],
      pending_commands: [{ command: 'retryRefund', by: forged, until: forged }],
      last_read: null,
      next_read_at: null,
      refusal: forged,
    },
    ...{ attention: 'payout_failed', attention_detail: forged, requests: 0, outcome: null, closed: false },
    timeline: [{ at: 'now', what: forged, by: forged, reason: forged }],
  } as unknown as PaymentState;

  test('shows no invented line and gets no escape sequence, in tables and details', () => {
    for (const text of [stateText(state), table(['a'], [[forged]]), hostile.join('')]) {
      const printed = shown(() => {
        print({}, {}, () => text);
      });
      expect(lineFault(printed.replaceAll('\n', ''))).toBeUndefined();
      expect(printed).not.toMatch(/^status +done/m);
    }
  });

  test('shows a text of several lines on one, in every table', () => {
    for (const drawn of [table, columns]) {
      const linesOf = (text: string) => drawn(['a'], [[text]]).split('\n').length;
      expect(linesOf('refused\nstatus            done')).toBe(linesOf('refused'));
    }
  });

  test('gets JSON that is the same value, with escapes, indented or on one line', () => {
    const printed = shown(() => {
      print({ reason: forged }, { json: true }, () => '');
    });
    for (const json of [printed, printableJson({ reason: forged }, 'one line')]) {
      expect(lineFault(json.replaceAll('\n', ''))).toBeUndefined();
      expect(JSON.parse(json)).toEqual({ reason: forged });
    }
    expect(printableJson({ reason: forged }, 'one line')).not.toContain('\n');
  });

  test('gets CSV without escape sequences, and no formula that hides behind one', () => {
    const line = {
      ...{ partner_code: hidden, value: 1, cause: hidden, words: hidden, attempt: 1 },
      ...{ outcome: 'refused' as const, detail: forged, at: null },
    };
    for (const csv of [csvText([[hidden, forged]]), bulkRetryCsv([line])]) {
      expect(lineFault(csv.replaceAll(/\r?\n/g, ''))).toBeUndefined();
      expect(csv).toContain("'=1+1");
      expect(csv).not.toMatch(/(^|,)"?=/);
    }
  });

  test('gets no line in the list of what needs an operator that nobody of ours has written', () => {
    const listed = {
      ...{ kind: 'payout', partner_code: forged, workflow_id: 'payout-a', service_id: null, value: 1 },
      ...{ status: forged, attention: 'payout_failed', cause: forged, started_by: null },
      ...{ started_at: '2026-11-21T10:00:00Z', updated_at: null, closed: false, closed_as: null },
    } satisfies PaymentListing;
    expect(waitingText([listed])).not.toMatch(/^status/m);
  });

  test('gets errors without escape sequences', () => {
    const printed = shown(() => explain(new Error(forged)));
    expect(lineFault(printed.replaceAll('\n', ''))).toBeUndefined();
  });
});
