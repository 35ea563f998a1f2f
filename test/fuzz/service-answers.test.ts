import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCentavos, toDecimal } from '../../src/domain/money.js';
import { normaliseStatus } from '../../src/domain/statuses.js';
import { readCreation } from '../../src/payments-service/creation.js';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import { interpret } from '../../src/payments-service/interpret.js';
import { retryAfterMs } from '../../src/payments-service/retry-after.js';
import { readIssuedToken, readPayoutList, readRecord } from '../../src/payments-service/wire.js';
import { pan, spoilt, strangeText, strangeValue } from './support/arbitraries.js';
import { bounded, cases } from './support/runs.js';

describe('an answer of the service', () => {
  const token = 'token-of-the-service';
  const secrets = [token, pan, '737'];
  const record = {
    id: 1,
    status: 'done',
    partner_code: 'a',
    value: 150.25,
    claimed_at: '2026-01-01T00:00:00Z',
  };
  const body = fc.oneof(
    strangeText,
    strangeValue.map((value) => JSON.stringify(value)),
    spoilt({ payout: record, token, credit_card: { number: pan, cvv: '737' } }).map((value) =>
      JSON.stringify(value),
    ),
    strangeText.map((text) => `<html><script>${text}<p class="${pan}">${token} ${text}`),
  );

  test('ends a creating call in one class, and nothing of what was sent comes back', async () => {
    const classes = ['answered', 'refused', 'unauthorized', 'throttled', 'unknown'];
    const answer = fc.record({
      status: fc.integer({ min: 100, max: 999 }),
      retryAfter: fc.option(strangeText),
      body,
    });
    await fc.assert(
      fc.asyncProperty(answer, fc.boolean(), async ({ status, retryAfter, body: text }, tokenIsNew) => {
        const exchange = { kind: 'answer', status, retryAfter: retryAfter ?? undefined, body: text } as const;
        const read = (json: unknown) => readCreation(json, secrets);
        const result = await bounded(() => interpret(exchange, { tokenIsNew, secrets, read }));
        expect(classes).toContain(result.outcome);
        for (const secret of [pan, token]) expect(JSON.stringify(result)).not.toContain(secret);
      }),
      cases(10),
    );
  });

  test('is a record, a list or a token, or none; an id is one that a path can carry', async () => {
    const json = fc.oneof(
      strangeValue,
      spoilt(record),
      spoilt({ payouts: [record], total_pages: 1, current_page: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        await bounded(() => {
          const id = readRecord(value)?.id ?? null;
          if (id !== null) expect(id).toMatch(/^(?!\.\.?$)[\x21-\x7e]{1,128}$/);
          const list = readPayoutList(value);
          expect(list === undefined || Array.isArray(list.payouts)).toBe(true);
          expect(readIssuedToken(value)?.expireMinutes ?? 1).toBeGreaterThanOrEqual(1);
        });
      }),
      cases(10),
    );
  });

  test('has times, waits, statuses and amounts that can be read, or are left', async () => {
    await fc.assert(
      fc.asyncProperty(strangeText, fc.double(), async (text, number) => {
        await bounded(() => {
          expect(latestInstantMs(text)).not.toBeNaN();
          expect(retryAfterMs(text, 0) ?? 0).toBeGreaterThanOrEqual(0);
          expect((normaliseStatus(text) ?? '').length).toBeLessThanOrEqual(64);
          const centavos = toCentavos(number);
          if (centavos !== undefined) expect(toDecimal(centavos)).toBe(number);
        });
      }),
      cases(6),
    );
  });
});
