import { HandlerError } from 'nexus-rpc';
import { toHandlerError } from './to-handler-error.js';

/** Where errors go that nobody expected; the caller does not see their cause. */
export type ErrorLog = { error(entry: object, message: string): void };

/** Answers an operation. @throws HandlerError whatever was thrown */
export async function answering<Answer>(
  logger: ErrorLog,
  operation: string,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const answer = toHandlerError(error);
    if (answer.type === 'INTERNAL' && !(error instanceof HandlerError)) {
      logger.error({ err: error, operation }, 'a Nexus operation failed');
    }
    throw answer;
  }
}
