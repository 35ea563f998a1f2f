import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCreation } from '../../src/payments-service/creation.js';
import { serviceWords } from '../../src/payments-service/service-words.js';
import { answers, startRawServer } from './raw-server.js';
import { call, cardOrder, completion, serviceAt } from './support.js';
import { testCard as card } from '../support/requests.js';
import { fixedSeed } from '../fuzz/support/runs.js';

const pan = '5555 5555 5555 4444';

const echoes: [string, string][] = [
  ['JSON', JSON.stringify({ message: 'bad card', credit_card: card, token: call.token })],
  ['JSON with escapes', '{"m":"\\u0034111111111111111 and \\u0037\\u0033\\u0037"}'],
  ['a sentence', `Card ${card.number} with code ${card.cvv} was denied for ${call.token}`],
  ['groups', 'Card 4111 1111-1111.1111 cvv:737'],
  ['odd groups', 'Card 4111/1111/1111/1111 cvv=737'],
  ['numbers', '{"number":4111111111111111,"cvv":737}'],
  ['a page', `<html><body><p title="737">4111<b>1111</b>11111111</p><p>(737)</p></body></html>`],
  ['the code as an id', '{"id":"4111111111111111","status":"4111111111111111","x":"737"}'],
  ['names', '{"4111111111111111":{"737":true}}'],
];

test.each(
  echoes.flatMap(([name, body]) => [200, 400, 422, 500].map((status) => [name, status, body] as const)),
)('an echo in %s with %i shows neither PAN, CVV nor token', async (_, status, body) => {
  const server = await startRawServer(answers(status, body));
  const service = serviceAt(server.url);
  const results = [
    await service.createCardOrder(cardOrder, call),
    await service.completeThreeDSecureOrder('1', completion, call),
  ];
  for (const result of results) {
    const shown = JSON.stringify(result);
    expect(shown.replaceAll(/\D/g, '')).not.toContain(card.number);
    expect(shown).not.toMatch(/(?<!\d)737(?!\d)/);
    expect(shown).not.toContain(call.token);
  }
});

test('the client_secret is not shown when the service repeats it', async () => {
  const basic = btoa('client-1:secret-of-client-1');
  const server = await startRawServer(answers(401, `{"got":"Basic ${basic} for secret-of-client-1"}`));
  const shown = JSON.stringify(await serviceAt(server.url).authenticate());
  expect(shown).not.toContain(basic);
  expect(shown).not.toContain('secret-of-client-1');
});

test('words are one line of at most 500 characters, whatever the service answers', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ minLength: 400, maxLength: 2_000 })), (body) => {
      const words = serviceWords(body, ['token-1-abcdefgh']) ?? '';
      expect(words.length).toBeLessThanOrEqual(500);
      expect(words).not.toMatch(/[\r\n\t]/);
    }),
    fixedSeed,
  );
});

test('a token as long as one may be does not come through, whole or in part', () => {
  const token = 'a1-'.repeat(2_700);
  const shown = serviceWords(`${'the token is '.repeat(20)}${token}`, [token]);
  expect(shown).toMatch(/^(the token is ){20}…$/);
});

test.each([
  ['the words of a refusal', 3_900, (text: string) => serviceWords(text, [])],
  ['what is kept of an answer', 2_000, (note: string) => readCreation({ id: '7', note }, [])?.answer?.note],
])('another’s PAN does not come through in part where %s end', (_, from, shownOf) => {
  for (let before = from; before < from + 400; before += 1) {
    const others = '4111111111111111, '.repeat(250).slice(-before);
    const shown = shownOf(`${others} no ${pan} ${'thanks '.repeat(100)}`);
    expect(shown).toContain('…');
    expect(shown).not.toContain('555');
  }
});

test('a PAN does not come through, wherever it stands and however it is grouped', () => {
  const separated = fc
    .array(fc.constantFrom('', ' ', '-', '.', '/', ', '), { minLength: 15, maxLength: 15 })
    .map((separators) => [...card.number].map((digit, i) => digit + (separators[i] ?? '')).join(''));
  fc.assert(
    fc.property(fc.string(), separated, fc.string(), (before, pan, after) => {
      const shown = serviceWords(`${before}${pan}${after}`, [card.number, card.cvv]) ?? '';
      expect(shown.replaceAll(/\D/g, '')).not.toContain(card.number);
    }),
    fixedSeed,
  );
});
