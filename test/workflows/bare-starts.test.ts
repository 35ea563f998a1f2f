import type { WorkflowStartOptions } from '@temporalio/client';
import { expect } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { workflowIdOf } from '../../src/domain/ids.js';
import { paymentKinds, workflowTypes, type PaymentKind } from '../../src/domain/kinds.js';
import { asRecord } from '../../src/domain/records.js';
import { test } from '../support/plain-payments.js';
import * as requests from '../support/requests.js';

type Options = Partial<WorkflowStartOptions>;
type Start = { input?: unknown; prefix?: string; options?: Options };

const usable: Readonly<Record<PaymentKind, (code: string) => object>> = {
  payout: requests.pixPayout,
  card_order: requests.cardOrder,
  hosted_checkout: requests.hostedCheckout,
  three_d_secure_order: requests.threeDSecureOrder,
  refund: (code) => ({ partner_code: code, service_id: code }),
  account_validation: requests.accountValidation,
};

const withOptions = (options: Options) => (code: string, kind: PaymentKind) => ({
  input: usable[kind](code),
  options,
});

/** By any SDK. */
const starts: readonly [string, (code: string, kind: PaymentKind) => Start][] = [
  ['with nothing at all', () => ({})],
  ['with null', () => ({ input: null })],
  ['with a text', () => ({ input: 'pay me' })],
  ['with a partner_code alone', (code) => ({ input: { partner_code: code, order: { partner_code: code } } })],
  ['under an id that is not its own', (code, kind) => ({ input: usable[kind](code), prefix: 'other-' })],
  ['with a retry policy, which would pay again', withOptions({ retry: { maximumAttempts: 3 } })],
  [
    'with an execution timeout, by which its money is lost',
    withOptions({ workflowExecutionTimeout: '1 day' }),
  ],
  ['with a run timeout, by which its money is lost', withOptions({ workflowRunTimeout: '1 day' })],
];

const credit_card = requests.testCard;
/** What makes an input unusable that has all else. */
const unusable: readonly [PaymentKind, Record<string, unknown>][] = [
  ['payout', { value: 1.001 }],
  ['payout', { credit_card }],
  ['payout', { document: '52998224726' }],
  ['card_order', { credit_card }],
  ['card_order', { credit_card, card: undefined }],
  ['card_order', { card: 'tok_123' }],
  ['card_order', { card: {} }],
  ['card_order', { card: { card_ref: 'x', task_queue: 'elsewhere' } }],
  ['card_order', { card: 7 }],
  ['hosted_checkout', { credit_card }],
  ['hosted_checkout', { order: { redirect_url: 'not an address' } }],
  ['three_d_secure_order', { credit_card }],
  ['refund', { service_id: undefined }],
  ['refund', { value: 1.001 }],
  ['refund', { by: 'ana\u202e' }],
  ['refund', { reason: `card ${credit_card.number}` }],
  ['account_validation', { document: '1' }],
];

test.for([
  ...paymentKinds.flatMap((kind) => starts.map(([how, start]) => [kind, how, start] as const)),
  ...unusable.map(([kind, { order, ...changes }]) => {
    const start = (code: string, _: PaymentKind, card: object): Start => {
      const input = { ...usable[kind](code), ...(kind === 'card_order' && { card }), ...changes };
      return {
        input:
          order === undefined
            ? input
            : { ...input, order: { ...asRecord(asRecord(input).order), ...asRecord(order) } },
      };
    };
    return [kind, `with ${JSON.stringify(order ?? changes)}`, start] as const;
  }),
])(
  'a %s that is started %s is refused at once: nothing is sent',
  async ([kind, , start], { code, orders, sandbox, stack }) => {
    const before = JSON.stringify(sandbox.ledger().calls);
    const { input, options, prefix = '' } = start(code, kind, orders.cards.stored());
    const id = prefix + workflowIdOf(kind, code);
    const payment = await stack.start<PaymentState>(workflowTypes[kind], id, input, options);
    const result = await payment.result('1 second', 10);
    expect(result).toMatchObject({ kind, status: 'rejected', attention: 'invalid_input', closed: true });
    expect(JSON.stringify(result)).not.toContain(credit_card.number);
    expect(JSON.stringify(sandbox.ledger().calls)).toBe(before);
  },
);
