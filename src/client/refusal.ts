import type { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CommandRefusedError } from './errors.js';

/** The error that the sender of a refused command gets. */
export function refusal(error: WorkflowUpdateFailedError): Error {
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  if (cause.type === 'AcceptedUpdateCompletedWorkflow') return closed();
  return new CommandRefusedError(cause.type ?? 'Refused', cause.message);
}

/** The refusal of a command to a payment that has ended; `how` is a sentence. */
export function closed(how = 'The payment has ended.'): CommandRefusedError {
  return new CommandRefusedError('Closed', `${how} It takes no commands. Nothing was changed.`);
}
