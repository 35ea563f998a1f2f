import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/client/batch-rows.js';
import { InvalidRequestError } from '../../src/client/errors.js';
import { cardOrderBody } from '../../src/contract/order.js';
import { payoutInput } from '../../src/contract/payout.js';
import { postbackCapability, workflowIdOfCapability } from '../../src/contract/postback-capability.js';
import { fieldProblems } from '../../src/contract/problems.js';
import { publishedSchemas } from '../../src/contract/schemas.js';
import { ConfigError, configVariables, loadConfig } from '../../src/config.js';
import { mayHoldPan, passesLuhn, withoutLongDigits, withoutPans } from '../../src/domain/cards.js';
import { toCentavos, toDecimal } from '../../src/domain/money.js';
import { normaliseStatus } from '../../src/domain/statuses.js';
import { preferredWaitMs } from '../../src/gateway/http/prefer.js';
import { describeError } from '../../src/processes/logger.js';
import { readCreation } from '../../src/payments-service/creation.js';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import { interpret } from '../../src/payments-service/interpret.js';
import { retryAfterMs } from '../../src/payments-service/retry-after.js';
import { readIssuedToken, readPayoutList, readRecord } from '../../src/payments-service/wire.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec, PayloadDecryptionError } from '../../src/temporal/payload-codec.js';
import { cardOrder, pixPayout } from '../gateway/requests.js';
import { pan, spoilt, strangeText, strangeValue } from './support/arbitraries.js';
import { bounded, cases } from './support/runs.js';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

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
    fc.constant(undefined),
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

describe('a request', () => {
  test('is taken or refused field by field; what is refused is not repeated, what is taken holds no card', async () => {
    const schemas = [
      [cardOrderBody, cardOrder()],
      [payoutInput, { ...pixPayout(), method: 'pix' }],
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
            expect(JSON.stringify(kept)).not.toContain(pan);
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

  test('may ask for any wait, and gets half a minute at most', () => {
    fc.assert(
      fc.property(strangeText, fc.nat(), (text, seconds) => {
        for (const header of [text, `wait=${text}`, `respond-async, wait=${String(seconds)}`]) {
          expect(preferredWaitMs(header)).toBeGreaterThanOrEqual(0);
          expect(preferredWaitMs(header)).toBeLessThanOrEqual(30_000);
        }
      }),
      cases(2),
    );
  });
});

test('a capability opens with its key, and nothing else opens', async () => {
  const keys: [Uint8Array, Uint8Array] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const genuine = postbackCapability(keys, 'payout-a');
  const forged = fc.oneof(
    strangeText,
    fc
      .tuple(fc.nat(genuine.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
      .map(([at, other]) => genuine.slice(0, at) + other + genuine.slice(at + 1)),
    fc.tuple(fc.base64String(), fc.base64String()).map(([id, mac]) => `${id}.${mac}`),
  );
  expect(workflowIdOfCapability([Buffer.alloc(32, 9), ...keys], genuine)).toBe('payout-a');
  await fc.assert(
    fc.asyncProperty(forged, async (text) => {
      const opened = await bounded(() => workflowIdOfCapability(keys, text));
      // The last letter of base64 has bits that say nothing: the same id under the same proof, no other.
      expect([undefined, 'payout-a']).toContain(opened);
    }),
    cases(6),
  );
});

test('an encrypted payload that was changed, or made by anyone else, is refused and not repeated', async () => {
  const codec = new EncryptionCodec(parseKeyRing(key('k1', 1)));
  const payload = fc.record({
    id: fc.oneof(fc.constant('k1'), strangeText),
    data: fc.uint8Array({ maxLength: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(payload, async ({ id, data }) => {
      const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(id) };
      const failure = await codec.decode([{ metadata, data }]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PayloadDecryptionError);
      expect(String(failure).length).toBeLessThan(400);
    }),
    cases(5),
  );
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

describe('a configuration', () => {
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-config-'));
  afterAll(() => {
    rmSync(dir, { recursive: true });
  });
  const names = configVariables.map(({ name }) => name);
  const value = fc.oneof(
    strangeText.map((text) => text.replaceAll('\0', '')),
    fc.constantFrom(
      key('k1', 1),
      `${key('k1', 1)},${key('k2', 2)}`,
      'none',
      'name:key:oms',
      '8080',
      'https://a.example',
    ),
    fc.constantFrom(
      'http://127.0.0.1:1',
      'http://[::1]',
      'https://u:p@a.example',
      '0.5',
      'a:b:c:d',
      'k1:AAAA',
      '*',
    ),
  );

  test('is loaded, or refused with everything that is wrong and no secret', async () => {
    const env = fc.dictionary(fc.constantFrom(...names), value);
    await fc.assert(
      fc.asyncProperty(
        env,
        fc.constantFrom('start', 'worker', 'gateway', 'cli', 'sandbox'),
        async (set, role) => {
          const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ';
          const API_KEYS = `${set.API_KEYS ?? ''},:${secret}`;
          await bounded(() => {
            try {
              loadConfig({ ...set, API_KEYS, TEMPORAL_CONFIG_FILE: join(dir, 'none.toml') }, role);
            } catch (error) {
              expect(error).toBeInstanceOf(ConfigError);
              expect(String(error)).not.toContain(secret);
            }
          });
        },
      ),
      cases(8),
    );
  });
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
