import {
  advanced,
  endedAs,
  isOver,
  requested,
  stepDueAt,
  type Validation,
  type ValidationChange,
} from '../../src/domain/validation.js';
import type { PaymentContext } from './context.js';
import type { Payment } from './payment.js';
import { sendAgain, waitsToSend, type Submits } from './submission.js';

/** What a validation waits for. */
export function nextStep(of: Submits & { readonly data: Validation }) {
  return {
    ...(of.data.phase === 'to_send'
      ? waitsToSend(of)
      : { awaiting: 'an answer by postback; without one it counts as unanswered' }),
    until: () => stepDueAt(of.data, of.start.scale),
  };
}

/**
 * Takes the next step of a validation, which is due: requests it once, applies a postback, or notices the deadline.
 *
 * @param request the raw body of the request, with the partner_code that the service is to see
 */
export async function validationStep(
  ctx: PaymentContext,
  payment: Payment,
  validation: Validation,
  request: unknown,
): Promise<ValidationChange> {
  if (validation.phase !== 'to_send') return advanced(validation, request, ctx.now());
  if (isOver(validation, ctx.now())) {
    const what = validation.submission.wasAnswered ? '' : ' Nothing was sent.';
    return endedAs('unsent', `It came to nothing in its time.${what}`);
  }
  const doing = 'request the validation of a bank account';
  const sent = await ctx.send(validation.submission, doing, (calls, once) =>
    calls.validateAccount({ ...once, validation: request }),
  );
  return sent.kind === 'again' ? { submission: sendAgain(payment, sent) } : requested(sent, request);
}
