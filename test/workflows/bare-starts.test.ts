import { expect } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { workflowIdOf } from '../../src/domain/ids.js';
import { workflowTypes, type PaymentKind } from '../../src/domain/kinds.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const kinds = Object.keys(workflowTypes) as PaymentKind[];
const inputs: readonly [string, (code: string) => unknown][] = [
  ['nothing at all', () => undefined],
  ['null', () => null],
  ['a text', () => 'pay me'],
  ['a partner_code alone', (code) => ({ partner_code: code, order: { partner_code: code } })],
];

test.for(kinds.flatMap((kind) => inputs.map(([what, input]) => [kind, what, input] as const)))(
  'a %s that any SDK starts with %s is refused at once: nothing is sent',
  async ([kind, , input], { stack, sandbox }) => {
    const code = freshCode();
    const before = JSON.stringify(sandbox.ledger().calls);
    const workflowId = workflowIdOf(kind, code);
    const payment = await stack.start<PaymentState>(workflowTypes[kind], workflowId, input(code));
    const result = await payment.result('1 second', 10);
    expect(result).toMatchObject({ kind, status: 'rejected', attention: 'invalid_input', closed: true });
    expect(JSON.stringify(sandbox.ledger().calls)).toBe(before);
  },
);
