import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/client/batch-rows.js';
import { InvalidRequestError } from '../../src/client/errors.js';
import { cardOrderBody, hostedCheckoutInput } from '../../src/contract/order.js';
import { payoutInput } from '../../src/contract/payout.js';
import { fieldProblems } from '../../src/contract/problems.js';
import { publishedSchemas } from '../../src/contract/schemas.js';
import { mayHoldPan, passesLuhn, withoutLongDigits, withoutPans } from '../../src/domain/cards.js';
import { lineFault } from '../../src/domain/plain-text.js';
import { preferredWaitMs } from '../../src/gateway/http/prefer.js';
import { describeError } from '../../src/processes/logger.js';
import { cardOrder, pixPayout } from '../gateway/requests.js';
import { holdsTheCard, pan, spoilt, strangeText, strangeValue, textsIn } from './support/arbitraries.js';
import { bounded, cases } from './support/runs.js';

/** An order that is paid on a page of the service. */
function checkout() {
  const { order, customer } = cardOrder();
  return { order: { ...order, redirect_url: 'https://shop.example.com/thanks' }, customer };
}

describe('a request', () => {
  test('is taken or refused field by field; what is refused is not repeated, what is taken holds no card and no control character', async () => {
    const schemas = [
      [cardOrderBody, cardOrder()],
      [payoutInput, { ...pixPayout(), method: 'pix' }],
      [hostedCheckoutInput, checkout()],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...schemas).chain(([schema, body]) => spoilt(body).map((sent) => ({ schema, sent }))),
        async ({ schema, sent }) => {
          const parsed = await bounded(() => schema.safeParse(sent));
          if (!parsed.success) {
            expect(JSON.stringify(fieldProblems(parsed.error))).not.toMatch(/\d{12}/);
          } else {
            const { credit_card: _card, ...kept } = parsed.data as { credit_card?: unknown };
            expect(holdsTheCard(kept)).toBe(false);
            expect(textsIn(kept).filter((text) => lineFault(text) !== undefined)).toEqual([]);
          }
        },
      ),
      cases(12),
    );
  });

  test('of whatever shape is no trouble for any published schema', async () => {
    const schema = fc.constantFrom(...Object.values(publishedSchemas));
    await fc.assert(
      fc.asyncProperty(schema, strangeValue, async (each, value) => {
        const parsed = await bounded(() => each.safeParse(value));
        if (!parsed.success) expect(JSON.stringify(fieldProblems(parsed.error))).not.toContain(pan);
      }),
      cases(8),
    );
  });

  test('may request any wait, and gets half a minute at most', () => {
    fc.assert(
      fc.property(strangeText, fc.nat(), (text, seconds) => {
        for (const header of [text, `wait=${text}`, `respond-async, wait=${String(seconds)}`]) {
          const waitMs = preferredWaitMs(header) ?? 0;
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(30_000);
        }
      }),
      cases(2),
    );
  });
});

test('rows of a batch are read, or refused by their line and not repeated', async () => {
  const cell = fc.oneof(strangeText, fc.constantFrom(pan, '"', '"a', ';', ',', '\n', '150,25', ''));
  const head = fc.oneof(
    strangeText,
    fc.constantFrom('method;pix;value', 'partner_code,value,watch_days', pan),
  );
  const csv = fc
    .tuple(head, fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 }))
    .map(([first, rows]) => [first, ...rows.map((row) => row.join(';'))].join('\n'));
  const jsonl = fc
    .array(
      fc.oneof(
        strangeText,
        strangeValue.map((value) => JSON.stringify(value)),
      ),
    )
    .map((lines) => lines.join('\n'));
  const rows = fc.oneof(
    csv.map((text) => ['csv', text] as const),
    jsonl.map((text) => ['jsonl', text] as const),
  );
  await fc.assert(
    fc.asyncProperty(rows, async ([format, text]) => {
      await bounded(async () => {
        try {
          expect(Array.isArray(await rowsOf(format, [text]))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequestError);
          expect(JSON.stringify(error) + String(error)).not.toContain(pan);
        }
      });
    }),
    cases(4),
  );
});

describe('a text', () => {
  const separator = fc.constantFrom('', ' ', '-', '.', '  ', '\u00a0', '/', '_');
  const grouped = fc
    .tuple(fc.stringMatching(/^[2-6]\d{14}$/), separator, strangeText, strangeText)
    .map(([body, between, before, after]) => {
      const digits = Array.from({ length: 10 }, (_, last) => `${body}${String(last)}`).find(passesLuhn) ?? '';
      const shown = (digits.match(/.{4}/g) ?? []).join(between);
      return {
        digits,
        text: `${before.replace(/[\d\s._/-]+$/, '')}:${shown}:${after.replace(/^[\d\s._/-]+/, '')}`,
      };
    })
    .filter(({ digits }) => /^(2[2-7]|[3-6])/.test(digits));

  test('with a card in it is seen, however it is grouped, and loses it', async () => {
    await fc.assert(
      fc.asyncProperty(grouped, async ({ digits, text }) => {
        await bounded(() => {
          expect(mayHoldPan(text)).toBe(true);
          for (const clean of [withoutPans(text), withoutLongDigits(text)]) {
            expect(clean.replaceAll(/\D/g, '')).not.toContain(digits);
          }
        });
      }),
      cases(8),
    );
  });

  test('in an error is not logged when it is quoted or of digits', async () => {
    await fc.assert(
      fc.asyncProperty(strangeText, async (text) => {
        const error = new Error(`Unexpected token in JSON at "${pan} ${text}`, {
          cause: new Error(text + pan),
        });
        const logged = await bounded(() => JSON.stringify(describeError(error)));
        expect(logged).not.toContain(pan);
        expect(logged.length).toBeLessThan(20_000);
      }),
      cases(3),
    );
  });
});
