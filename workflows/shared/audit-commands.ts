import { ApplicationFailure, log, workflowInfo } from '@temporalio/workflow';
import type { WorkflowInboundCallsInterceptor } from '@temporalio/workflow';
import { withoutLongDigits } from '../../src/domain/cards.js';
import { moneyOfRequest, moneyOfState } from '../../src/domain/masked-payee.js';
import { asRecord } from '../../src/domain/records.js';
import { workflowTypes } from '../../src/domain/kinds.js';
import { temporalAudit, type TemporalAudit } from '../../src/domain/temporal-audit.js';

/** By which no money moves: one waits, the other is our own activities'. */
const unaudited = new Set(['awaitStatus', 'renewToken']);
const starts = new Set([
  ...Object.values(workflowTypes),
  'payoutBatch',
  'bulkRetry',
  'webhookResend',
  'notification',
]);
const longestName = 128;

/**
 * Reports each start and command that came by Temporal, from whomever, through the log of the SDK, which leaves replays
 * out. It waits for nothing, passes on the promise that it is given and adds no command: histories stay the same.
 */
export function auditCommands(): WorkflowInboundCallsInterceptor {
  return {
    execute: (input, next) => {
      const { workflowType, parent, continuedFromExecutionRunId: earlier } = workflowInfo();
      const isStart = starts.has(workflowType) && parent === undefined && earlier === undefined;
      const start = `start ${workflowType}`;
      if (isStart) write(undefined, start, 'started', moneyOfRequest(input.args[0]));
      const done = next(input);
      if (isStart && workflowType === 'notification')
        done.catch((error: unknown) => write(undefined, start, outcomeOf(error)));
      return done;
    },
    handleSignal: (input, next) => {
      if (input.signalName === 'retryPayout') write(input.args[0], 'signal retryPayout', 'received');
      return next(input);
    },
    validateUpdate: (input, next) => {
      const { name, args } = input;
      try {
        next(input);
      } catch (error) {
        if (!unaudited.has(name)) write(args[0], name, outcomeOf(error));
        throw error;
      }
    },
    handleUpdate: (input, next) => {
      const { name, args } = input;
      const done = next(input);
      if (unaudited.has(name)) return done;
      done.then(
        (state: unknown) => write(args[0], name, 'accepted', moneyOfState(state, name)),
        (error: unknown) => write(args[0], name, outcomeOf(error)),
      );
      return done;
    },
  };
}

function write(message: unknown, command: string, outcome: string, money = moneyOfRequest(message)): void {
  const { by } = asRecord(message);
  const named = typeof by === 'string' ? { by: withoutLongDigits(by.slice(0, longestName)) } : {};
  log.info(temporalAudit, { ...named, ...money, command, outcome } satisfies TemporalAudit);
}

function outcomeOf(error: unknown): string {
  return error instanceof ApplicationFailure ? `refused: ${error.type ?? 'unknown'}` : 'failed';
}
