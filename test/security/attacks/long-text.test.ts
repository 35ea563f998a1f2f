import { describe, expect, test } from 'vitest';
import { fieldProblems } from '../../../src/contract/problems.js';
import { cardOrderInput, hostedCheckoutInput } from '../../../src/contract/order.js';
import { payoutInput } from '../../../src/contract/payout.js';
import { payeeFaults } from '../../../src/domain/payee-forms.js';
import { cardOrder, pixPayout, transferPayout } from '../../gateway/requests.js';

const pan = '4111111111111111';
const payout = { ...pixPayout(), method: 'pix' };
const { credit_card: _card, ...order } = cardOrder();

describe('a text that is too long', () => {
  // What would be said of them next: that they hold a card, or a character that can’t be seen.
  const long = `${pan} \u202e ${'x'.repeat(4_096)}`;
  const longUrl = `https://a.example/${pan}/${'x'.repeat(4_096)}`;
  const longEmail = `${'x.'.repeat(2_048)}x${pan}@a.example`;
  test.for([
    ['first_name', payoutInput, { ...payout, first_name: long }],
    ['pix', payoutInput, { ...payout, pix: longEmail }],
    ['customer.name', cardOrderInput, { ...order, customer: { ...order.customer, name: long } }],
    ['customer.email', cardOrderInput, { ...order, customer: { ...order.customer, email: longEmail } }],
    [
      'order.redirect_url',
      hostedCheckoutInput,
      { ...order, order: { ...order.order, redirect_url: longUrl } },
    ],
  ] as const)('in %s is refused by its length, and looked at no further', ([field, schema, input]) => {
    const { error } = schema.safeParse(input);
    const problems = error === undefined ? [] : fieldProblems(error);
    expect(problems).toEqual([
      { field, message: expect.stringMatching(/^must not be longer than \d+ characters$/) as string },
    ]);
  });

  test.for([
    ['phone', payout],
    ['account', { ...transferPayout(), method: 'transfer' }],
    ['document', payout],
  ] as const)('in %s is refused by its form, and looked at no further', ([field, input]) => {
    const { error } = payoutInput.safeParse({ ...input, [field]: `${pan} ${'4 '.repeat(2_048)}` });
    const problems = error === undefined ? [] : fieldProblems(error);
    expect(problems).toEqual([{ field, message: payeeFaults[field] }]);
  });

  test('as the name of a field is named by its beginning, without a digit that might be a card’s', () => {
    const name = `${'x'.repeat(190)}${pan}${'y'.repeat(60_000)}`;
    const { error } = payoutInput.safeParse({ ...payout, [name]: 1 });
    const [problem] = error === undefined ? [] : fieldProblems(error);
    expect(problem?.message).toBe('is not known here');
    expect(problem?.field).toHaveLength(200);
    expect(problem?.field).not.toMatch(/\d/);
  });
});
