import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { PaymentState } from '../../../contract/state.js';
import { cardOf, orderOf, payoutOf } from '../requests.js';
import type { Expected, IncidentStack } from './incident.js';

const betweenLooksMs = 500;
const readiness = z.object({ problems: z.array(z.object({ check: z.string() })) });

/** Longer than any incident takes to set up. */
export const everyCall = 1_000_000;

export async function startPayout(
  { oms }: IncidentStack,
  code: string,
  value: number,
  pix = 'ana.lima@example.com',
): Promise<void> {
  await accepted(oms.post('/v1/payouts/pix', payoutOf(code, value, pix)));
}

/** Starts a payout, and waits until it has failed and needs an operator. */
export async function failPayout(
  stack: IncidentStack,
  code: string,
  value: number,
  pix: string,
): Promise<void> {
  await startPayout(stack, code, value, pix);
  await needsOperator(stack, payoutPath(code), 'payout_failed');
}

/** As {@link failPayout}, because the service refuses its pix key, at this attempt and at each later one with it. */
export async function refusePayout(stack: IncidentStack, code: string, value: number): Promise<void> {
  const body = { error: { code: 'pix_key_not_found', message: 'This pix key belongs to no account.' } };
  const fault = { effect: 'none', status: 422, body };
  await stack.sandbox.fault({ endpoint: 'POST /v1/payout/pix', fault, partner_code: code });
  await failPayout(stack, code, value, 'sandbox+422-always@example.com');
}

/** Starts a card order that the customer pays. */
export async function startOrder({ oms }: IncidentStack, code: string, value: number): Promise<void> {
  await accepted(
    oms.post('/v1/orders/card', { ...orderOf(code, value), credit_card: cardOf('4111111111111111') }),
  );
}

/** Waits until a payment needs an operator for this reason. */
export async function needsOperator({ oms }: IncidentStack, path: string, attention: string): Promise<void> {
  const state = await oms.follow(path, (seen) => seen.attention === attention);
  if (state.attention !== attention) throw new Error(`${path} does not need an operator for ${attention}.`);
}

/** Waits until a payment has this status. */
export async function reaches({ oms }: IncidentStack, path: string, status: string): Promise<PaymentState> {
  const state = await oms.follow(path, (seen) => seen.status === status);
  if (state.status !== status) throw new Error(`${path} is ${state.status}, not ${status}.`);
  return state;
}

/** Waits until the gateway reports this problem of the whole system, which it looks for every twenty seconds. */
export async function hasProblem({ oms }: IncidentStack, check: string): Promise<void> {
  for (;;) {
    const { problems } = readiness.parse((await oms.get('/readyz')).body);
    if (problems.some((problem) => problem.check === check)) return;
    await sleep(betweenLooksMs);
  }
}

export async function accepted(answering: Promise<{ status: number }>): Promise<void> {
  const { status } = await answering;
  if (status >= 300) throw new Error(`The gateway answered ${String(status)}.`);
}

export function payoutPath(code: string): string {
  return `/v1/payouts/${code}`;
}

export function orderPath(code: string): string {
  return `/v1/orders/${code}`;
}

/** A payout that has to end as `status`, with these records of its attempts at the service. */
export function payoutEnds(code: string, status: string, ...records: string[]): Expected {
  return { path: payoutPath(code), code, status, records };
}

/** An order that has to end as `status`, there and here. */
export function orderEnds(code: string, status: string): Expected {
  return { path: orderPath(code), code, status, records: [status] };
}
