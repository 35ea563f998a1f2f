import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { workflowIdOf } from '../../src/domain/ids.js';
import { workflowTypes, type PaymentKind } from '../../src/domain/kinds.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const kinds = Object.keys(workflowTypes) as PaymentKind[];
const inputs: readonly [string, (code: string) => unknown][] = [
  ['nothing at all', () => undefined],
  ['null', () => null],
  ['a text', () => 'pay me'],
  ['a partner_code alone', (code) => ({ partner_code: code, order: { partner_code: code } })],
];

test.for(kinds.flatMap((kind) => inputs.map(([what, input]) => [kind, what, input] as const)))(
  'a %s that any SDK starts with %s is refused at once: nothing is sent',
  async ([kind, , input]) => {
    const code = freshCode();
    const before = JSON.stringify(rig.sandbox.ledger().calls);
    const handle = await rig.start(workflowTypes[kind], workflowIdOf(kind, code), input(code));
    const result = await rig.result<PaymentState>(handle, '1 second', 10);
    expect(result).toMatchObject({ kind, status: 'rejected', attention: 'invalid_input', closed: true });
    expect(JSON.stringify(rig.sandbox.ledger().calls)).toBe(before);
  },
);
