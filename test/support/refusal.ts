import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Refused } from '../../src/domain/refused.js';

/** For `.catch`: the type of the refusal that an Update answered; anything else is thrown on. */
export function refusalOf(error: unknown): string {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    return error.cause.type ?? 'untyped';
  }
  if (error instanceof Refused) return error.type;
  throw error;
}
