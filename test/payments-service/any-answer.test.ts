import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCreation } from '../../src/payments-service/creation.js';
import { interpret } from '../../src/payments-service/interpret.js';
import { readPayoutList, readRecord } from '../../src/payments-service/wire.js';
import { fixedSeed } from '../fuzz/support/runs.js';

const body = fc.oneof(fc.constant(undefined), fc.string(), fc.json(), fc.string({ unit: 'binary' }));
const secrets = ['token-1-abcdefgh', '4111111111111111', '737'];

test('whatever the service answers, a creating call ends in one class and nothing is thrown', () => {
  const classes = ['answered', 'refused', 'unauthorized', 'throttled', 'unknown'];
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, fc.boolean(), (status, text, tokenIsNew) => {
      const answer = { kind: 'answer', status, retryAfter: undefined, body: text } as const;
      const result = interpret(answer, {
        tokenIsNew,
        secrets,
        read: (json) => readCreation(json, secrets),
      });
      expect(classes).toContain(result.outcome);
      expect(JSON.stringify(result)).not.toContain('4111111111111111');
    }),
    fixedSeed,
  );
});

test('whatever JSON comes, a record has an id that a path can carry, or none', () => {
  const anything = fc.jsonValue();
  const record = fc.record({ id: anything, status: anything, value: anything, payout: anything });
  fc.assert(
    fc.property(fc.oneof(anything, record), (json) => {
      const id = readRecord(json)?.id ?? null;
      if (id !== null) expect(id).toMatch(/^(?!\.\.?$)[\x21-\x7e]{1,128}$/);
    }),
    fixedSeed,
  );
});

test('a list of payouts has as many records as came, or is none', () => {
  const items = fc.array(fc.jsonValue());
  fc.assert(
    fc.property(items, (payouts) => {
      const list = readPayoutList({ payouts });
      if (list !== undefined) expect(list.payouts).toHaveLength(payouts.length);
    }),
    fixedSeed,
  );
});
