import type { z } from 'zod';
import { accountValidationInput } from '../contract/account-validation.js';
import type { AccountValidationInput } from '../contract/account-validation.js';
import { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from '../contract/order.js';
import type { CardOrderInput, HostedCheckoutInput, ThreeDSecureOrderInput } from '../contract/order.js';
import { payoutInput } from '../contract/payout.js';
import type { PayoutInput } from '../contract/payout.js';
import { refundInput } from '../contract/refund.js';
import type { RefundInput } from '../contract/refund.js';
import type { PaymentKind } from '../domain/kinds.js';
import { formatAmount, toCentavos } from '../domain/money.js';

/**
 * What starting one kind of payment needs to know about it. A new kind is one more of these. `Request` is the input as
 * its sender writes it, before the schema has filled in what was left out.
 */
export type Lifecycle<Input extends Record<string, unknown>, Request = unknown> = {
  readonly kind: PaymentKind;
  readonly inputSchema: z.ZodType<Input, Request>;
  readonly partnerCode: (input: Input) => string;
  /** What its workflow id is made of, unless that is the partner_code. */
  readonly idKey?: (input: Input) => string;
  readonly value: (input: Input) => number | undefined;
  /** What it is, for the Web UI; the amount follows. */
  readonly title: (input: Input) => string;
};

export const payoutLifecycle: Lifecycle<PayoutInput, z.input<typeof payoutInput>> = {
  kind: 'payout',
  inputSchema: payoutInput,
  partnerCode: (input) => input.partner_code,
  value: (input) => input.value,
  title: (input) => (input.method === 'pix' ? 'Pix payout' : 'Transfer payout'),
};

export const cardOrderLifecycle: Lifecycle<CardOrderInput, z.input<typeof cardOrderInput>> = {
  kind: 'card_order',
  inputSchema: cardOrderInput,
  partnerCode: (input) => input.order.partner_code,
  value: (input) => input.order.value,
  title: () => 'Card order',
};

export const hostedCheckoutLifecycle: Lifecycle<HostedCheckoutInput, z.input<typeof hostedCheckoutInput>> = {
  kind: 'hosted_checkout',
  inputSchema: hostedCheckoutInput,
  partnerCode: (input) => input.order.partner_code,
  value: (input) => input.order.value,
  title: () => 'Hosted checkout',
};

export const threeDSecureOrderLifecycle: Lifecycle<
  ThreeDSecureOrderInput,
  z.input<typeof threeDSecureOrderInput>
> = {
  kind: 'three_d_secure_order',
  inputSchema: threeDSecureOrderInput,
  partnerCode: (input) => input.order.partner_code,
  value: (input) => input.order.value,
  title: () => '3D Secure order',
};

export const refundLifecycle: Lifecycle<RefundInput, z.input<typeof refundInput>> = {
  kind: 'refund',
  inputSchema: refundInput,
  partnerCode: (input) => input.partner_code,
  idKey: (input) => input.service_id,
  value: (input) => input.value,
  title: () => 'Refund',
};

export const accountValidationLifecycle: Lifecycle<
  AccountValidationInput,
  z.input<typeof accountValidationInput>
> = {
  kind: 'account_validation',
  inputSchema: accountValidationInput,
  partnerCode: (input) => input.partner_code,
  value: () => undefined,
  title: () => 'Account validation',
};

/** The start of a payment, from an input that its lifecycle's schema has parsed. */
export function startOf<Input extends Record<string, unknown>>(lifecycle: Lifecycle<Input>, input: Input) {
  const value = lifecycle.value(input);
  const valueCentavos = value === undefined ? undefined : toCentavos(value);
  const amount = valueCentavos === undefined ? '' : ` of ${formatAmount(valueCentavos)}`;
  return {
    kind: lifecycle.kind,
    partnerCode: lifecycle.partnerCode(input),
    idKey: (lifecycle.idKey ?? lifecycle.partnerCode)(input),
    input,
    valueCentavos,
    summary: lifecycle.title(input) + amount,
    parseInput: (recorded: unknown) => lifecycle.inputSchema.safeParse(recorded).data,
  };
}
