import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { z } from 'zod';
import type { Logger } from './logger.js';

/** Of what an activity answers, the one word that says how it went; the rest may be anybody's data. */
const outcomeIn = z.object({ outcome: z.string().regex(/^[a-z_]{1,32}$/) });

/** Writes a line for each activity that a worker has executed: of which workflow, how long it took, how it went. */
export function logActivity({ info }: Context, logger: Logger): ActivityInboundCallsInterceptor {
  return {
    execute: async (input, next) => {
      const startedMs = performance.now();
      const write = (outcome: string) =>
        logger.info(
          {
            activity: info.activityType,
            workflow_id: info.workflowExecution?.workflowId,
            attempt: info.attempt,
            duration_ms: Math.round(performance.now() - startedMs),
            outcome,
          },
          'activity',
        );
      try {
        const result: unknown = await next(input);
        write(outcomeIn.safeParse(result).data?.outcome ?? 'completed');
        return result;
      } catch (error) {
        write(error instanceof ApplicationFailure ? (error.type ?? 'failed') : 'failed');
        throw error;
      }
    },
  };
}
