/** Why a command was refused; the `type` of the failure that its sender receives. */
export type RefusalType =
  | 'NotParked'
  | 'WrongAttempt'
  | 'AlreadyMoving'
  | 'CouldNotRead'
  | 'NotAwaitingCard'
  | 'NotAwaitingAuthentication'
  | 'NotUnknown'
  | 'DecisionNeeded'
  | 'NoAttention'
  | 'OtherAttention'
  | 'NotPaused'
  | 'InvalidMessage'
  | 'TooManyWaiting'
  | 'RunWasReset'
  | 'NotTakenInTime'
  | 'Expired'
  | 'Closed';

/** A command that was refused. It has no effect, now or later. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly type: RefusalType,
    message: string,
  ) {
    super(message);
  }
}

/** What is wrong with an operator's finding: it names either an identifier or that nothing happened. */
export function resolutionProblem(found: {
  service_id?: unknown;
  nothing_happened?: boolean | undefined;
}): Refused | undefined {
  return (found.service_id === undefined) === (found.nothing_happened !== true)
    ? new Refused('InvalidMessage', 'Send either service_id or nothing_happened: true. Nothing was changed.')
    : undefined;
}
