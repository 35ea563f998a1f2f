import { ApplicationFailure } from '@temporalio/activity';

/** Calls Temporal. @throws ApplicationFailure when that fails, without the cause, which the SDK would copy into the history */
export async function orTemporalUnavailable<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch {
    const message = 'Temporal could not search or change our own payments.';
    throw ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
  }
}
