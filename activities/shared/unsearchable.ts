import { ApplicationFailure } from '@temporalio/activity';

/** @throws ApplicationFailure when our own payments could not be searched */
export async function unlessUnsearchable<Found>(search: () => Promise<Found>): Promise<Found> {
  try {
    return await search();
  } catch {
    // Without its cause, which the SDK would copy into the history.
    const message = 'Our own payments could not be searched.';
    throw ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
  }
}
