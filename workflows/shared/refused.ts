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
  | 'InvalidMessage'
  | 'TooManyWaiting'
  | 'RunWasReset'
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
