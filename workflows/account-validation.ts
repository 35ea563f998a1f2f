import { validationStages, type ValidationStage } from '../src/domain/validation-stages.js';
import { ValidationPayment } from './account-validation/payment.js';
import type { PaymentContext } from './shared/context.js';
import { lifecycle, paymentWorkflow, type OpenStage } from './shared/lifecycle.js';
import { advanceValidation, awaitedOf } from './shared/validation-request.js';

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
async function request(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  const takes = { cancel: () => cancel(ctx, payment) };
  const woke = await ctx.wait(validationStages.request, { ...nextStep(payment), takes });
  if (woke === 'due') await advanceValidation(ctx, payment, payment.validation);
  payment.show();
}

/** Waits for an answer, until the deadline. */
async function awaitAnswer(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  const woke = await ctx.wait(validationStages.await, nextStep(payment));
  if (woke === 'due') await advanceValidation(ctx, payment, payment.validation);
  payment.show();
}

function nextStep({ validation }: ValidationPayment) {
  return { until: () => validation.dueAt(), awaiting: awaitedOf(validation) };
}

/** Before anything was sent, a cancelled validation is simply not made. After a reset that is not known. */
async function cancel(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  if (await ctx.wasReset()) payment.record.note('A cancel request came to a reset run and changes nothing.');
  else payment.cancel();
}
