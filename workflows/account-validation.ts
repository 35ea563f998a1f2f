import { validationStages, type ValidationStage } from '../src/domain/validation-stages.js';
import { endedAs } from '../src/domain/validation.js';
import { ValidationPayment } from './account-validation/payment.js';
import type { PaymentContext } from './shared/context.js';
import { lifecycle, paymentWorkflow, whenDue, type OpenStage } from './shared/lifecycle.js';
import { nextStep, validationStep } from './shared/validation-step.js';

export const accountValidationLifecycle = lifecycle<OpenStage<ValidationStage>, ValidationPayment>({
  request,
  await: awaitAnswer,
});

/**
 * The validation of a bank account, from its submission until there is an answer or its deadline has passed. The service
 * documents no read of it, so an answer is kept as it came and marked as not verified.
 *
 * Endpoint: `POST /v1/account/validate`.
 */
export const accountValidation = paymentWorkflow(ValidationPayment, accountValidationLifecycle);

/** Requests the validation once. */
function request(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  const takes = { cancel: () => cancel(ctx, payment) };
  return whenDue(ctx, payment, validationStages.request, { ...nextStep(payment), takes }, advance);
}

/** Waits for an answer, until the deadline. */
function awaitAnswer(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  return whenDue(ctx, payment, validationStages.await, nextStep(payment), advance);
}

async function advance(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  payment.apply(await validationStep(ctx, payment, payment.data, payment.input));
}

/** Before anything was sent, a cancelled validation is simply not made. After a reset that is not known. */
async function cancel(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  if (await ctx.wasReset()) payment.record.note('A cancel request came to a reset run and changes nothing.');
  else payment.apply(endedAs('cancelled', null));
}
