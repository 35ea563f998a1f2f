import type { AccountValidationInput } from '../src/contract/account-validation.js';
import type { AccountValidationState } from '../src/contract/state.js';
import { validationStages } from '../src/domain/validation-stages.js';
import { ValidationPayment, type AccountValidationSnapshot } from './account-validation/payment.js';
import type { PaymentContext } from './shared/context.js';
import { registerHandlers } from './shared/handlers.js';
import { TemporalContext } from './shared/temporal-context.js';
import { temporalRun, type Continued } from './shared/temporal-run.js';
import { advanceValidation, awaitedOf } from './shared/validation-request.js';

/**
 * The validation of a bank account, from its submission until there is an answer or its deadline has passed. The service
 * documents no read of it, so an answer is kept as it came and marked as not verified.
 *
 * Endpoint: `POST /v1/account/validate`.
 */
export async function accountValidation(
  input: AccountValidationInput,
  snapshot?: Continued<AccountValidationSnapshot>,
): Promise<AccountValidationState> {
  const payment = new ValidationPayment(input, temporalRun(snapshot?.run), snapshot);
  const ctx = new TemporalContext(payment, input);
  registerHandlers(ctx, payment);
  return ctx.live(() => accountValidationLifecycle(ctx, payment));
}

/** Requests the validation once, and waits for an answer. */
export async function accountValidationLifecycle(
  ctx: PaymentContext,
  payment: ValidationPayment,
): Promise<void> {
  if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
  const { validation } = payment;
  for (;;) {
    const waiting = { until: () => validation.dueAt(), awaiting: awaitedOf(validation) };
    const { stage } = payment;
    switch (stage) {
      case 'request': {
        const takes = { cancel: () => cancel(ctx, payment) };
        const woke = await ctx.wait(validationStages.request, { ...waiting, takes });
        if (woke === 'due') await advanceValidation(ctx, payment, validation);
        break;
      }
      case 'await':
        if ((await ctx.wait(validationStages.await, waiting)) === 'due') {
          await advanceValidation(ctx, payment, validation);
        }
        break;
      case 'closed':
        return;
    }
    payment.show();
  }
}

/** Before anything was sent, a cancelled validation is simply not made. After a reset that is not known. */
async function cancel(ctx: PaymentContext, payment: ValidationPayment): Promise<void> {
  if (await ctx.wasReset()) payment.record.note('A cancel request came to a reset run and changes nothing.');
  else payment.cancel();
}
