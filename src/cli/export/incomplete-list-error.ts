/** The service's list could not be read to its end. */
export class IncompleteListError extends Error {
  override readonly name = 'IncompleteListError';

  constructor(why: string, options?: ErrorOptions) {
    super(
      `The service's list of payouts could not be read completely: ${why} Nothing was changed. Repeat the export.`,
      options,
    );
  }
}
