import { QueryRejectedError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { z } from 'zod';
import { acknowledgeAttention, awaitStatus, resolveSubmission } from '../contract/messages.js';
import type { AcknowledgeAttention, AwaitStatus, ResolveSubmission } from '../contract/messages.js';
import type { PaymentState } from '../contract/state.js';
import { earlyClosingText, isEarly } from '../domain/closings.js';
import type { CommandName } from '../domain/stage-table.js';
import {
  CommandPendingError,
  CommandRefusedError,
  PaymentNotFoundError,
  StateLostError,
  TemporalUnavailableError,
} from './errors.js';
import { grpcCode } from '../temporal/grpc-codes.js';
import { EventsNotHandledError } from '../temporal/query-workflow.js';
import { describePayment, type Execution } from './execution.js';
import { parseRequest } from './parse.js';
import { closed, refusal } from './refusal.js';
import { query } from './query.js';
import { callTemporal, failedPrecondition, sendCommand, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** How much longer than other calls a command may take: before a retry the payment reads at the service. */
const commandMs = 20_000;

/** An outcome that is there is read within this time. */
const outcomeMs = 500;

/**
 * How a command is sent.
 *
 * @property waitMs how long to wait for the outcome of one that the payment has taken, in milliseconds; as long as for its
 *   taking when left out
 */
export type Sending = { readonly waitMs?: number | undefined };

/**
 * The task that handled an Update was lost, and the Update with it: something came in while it ended the run, or no worker
 * has asked for tasks lately.
 */
const isTaskLost = (error: unknown): boolean => grpcCode(error) === failedPrecondition;

/** One payment: its state, and the commands that every kind takes. */
export class PaymentHandle<State extends PaymentState> {
  constructor(
    private readonly calls: TemporalCalls,
    readonly workflowId: string,
    private readonly stateSchema: z.ZodType<State>,
  ) {}

  /**
   * The state now, also of a payment that has ended. `closed_as` shows whether its workflow was ended from outside.
   *
   * @throws PaymentNotFoundError, TasksFailingError, TemporalUnavailableError
   */
  async state(): Promise<State> {
    try {
      const [execution, state] = await Promise.all([
        this.execution(),
        query(this.calls, this.workflowId, 'state'),
      ]);
      return asClosed(this.stateSchema.parse(state), execution);
    } catch (error) {
      if (isUnhandled(error)) throw await this.unhandled(error);
      if (error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError) {
        throw new PaymentNotFoundError(this.workflowId);
      }
      throw error;
    }
  }

  /** What Temporal knows of it: its owner, and how it ended. @throws PaymentNotFoundError, TemporalUnavailableError */
  execution(): Promise<Execution> {
    return describePayment(this.calls, this.workflowId);
  }

  /**
   * The state as soon as the status is one of those named, or when the time (at most 30 seconds) is over. With none
   * named: as soon as the service has answered or the payment needs attention. Also answers for a payment that has ended.
   *
   * @throws CommandRefusedError when too many wait for this payment already.
   */
  async awaitStatus(wait: AwaitStatus): Promise<State> {
    const message = parseRequest(awaitStatus, wait);
    try {
      return await this.ask('awaitStatus', message, this.stateSchema, message.timeout_seconds * 1_000);
    } catch (error) {
      if (error instanceof CommandRefusedError && error.reason === 'Closed') return this.state();
      if (error instanceof TemporalUnavailableError && isTaskLost(error.cause)) return this.state();
      throw error;
    }
  }

  /** Resolves a submission of unknown outcome. @throws CommandRefusedError, CommandPendingError, PaymentNotFoundError */
  async resolve(decision: ResolveSubmission, sending?: Sending): Promise<State> {
    return this.command('resolveSubmission', parseRequest(resolveSubmission, decision), sending);
  }

  /**
   * Acknowledges an attention that an operator has dealt with.
   *
   * @throws CommandRefusedError, CommandPendingError, PaymentNotFoundError
   */
  async acknowledge(command: AcknowledgeAttention, sending?: Sending): Promise<State> {
    return this.command('acknowledgeAttention', parseRequest(acknowledgeAttention, command), sending);
  }

  /** Makes a read of the service due now. @throws PaymentNotFoundError when the payment is unknown or has ended. */
  async hint(source: string): Promise<void> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    const send = () => callTemporal(this.calls, () => handle.signal('statusHint', { source }));
    await unlessNotFound(send, () => new PaymentNotFoundError(this.workflowId));
  }

  /**
   * Sends a command, and waits for its outcome. One that no worker has taken in time has no effect later.
   *
   * @throws CommandPendingError when the payment has taken it, and executes or refuses it later; CommandUnboundedError when
   * it may be taken later
   */
  protected async command(
    name: CommandName,
    message: object,
    { waitMs = this.calls.callTimeoutMs + commandMs }: Sending = {},
    updateId?: string,
  ): Promise<State> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    const begunAt = performance.now();
    const options = { waitForStage: 'ACCEPTED', ...(updateId !== undefined && { updateId }) } as const;
    return this.updated(async () => {
      const send = (bound: object) =>
        handle.startUpdate<unknown, [object]>(name, { args: [{ ...bound, ...message }], ...options });
      const taken = await sendCommand(this.calls, send, commandMs);
      const leftMs = Math.max(outcomeMs, waitMs - (performance.now() - begunAt));
      const result = () => taken.result();
      try {
        return this.stateSchema.parse(await callTemporal({ ...this.calls, callTimeoutMs: leftMs }, result));
      } catch (error) {
        const isPending = error instanceof TemporalUnavailableError || isTaskLost(error);
        throw isPending ? new CommandPendingError(this.workflowId, name, taken.updateId) : error;
      }
    });
  }

  /** Sends an Update that changes nothing, and waits for its answer. */
  protected ask<Answer>(
    name: string,
    message: object,
    answer: z.ZodType<Answer>,
    waitMs = commandMs,
  ): Promise<Answer> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    const call = () => handle.executeUpdate<unknown, [object]>(name, { args: [message] });
    return this.updated(async () => answer.parse(await callTemporal(this.calls, call, waitMs)));
  }

  private async updated<Answer>(update: () => Promise<Answer>): Promise<Answer> {
    try {
      return await update();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw await this.closedOrUnknown();
      if (isTaskLost(error)) throw new TemporalUnavailableError(error);
      throw error instanceof WorkflowUpdateFailedError ? refusal(error) : error;
    }
  }

  /** Of a workflow that still runs, a worker handles its events sooner or later. */
  private async unhandled(error: Error): Promise<Error> {
    const { closedAs } = await this.execution();
    return isEarly(closedAs) ? new StateLostError(this.workflowId, closedAs) : error;
  }

  private async closedOrUnknown(): Promise<Error> {
    try {
      const { closedAs } = await this.execution();
      return closed(isEarly(closedAs) ? earlyClosingText(closedAs) : undefined);
    } catch (error) {
      if (error instanceof PaymentNotFoundError) return error;
      throw error;
    }
  }
}

function isUnhandled(error: unknown): error is TemporalUnavailableError {
  return error instanceof TemporalUnavailableError && error.cause instanceof EventsNotHandledError;
}

/** The state that a workflow reports, with what Temporal knows of its end: one that was terminated can't report it. */
function asClosed<State extends PaymentState>(state: State, { owner, closedAs }: Execution): State {
  const reported = { ...state, started_by: state.started_by ?? owner };
  if (!isEarly(closedAs)) return { ...reported, closed_as: state.closed ? 'completed' : null };
  const awaiting = `nothing: ${earlyClosingText(closedAs)}`;
  const nothingDue = { commands: [], pending_commands: [], next_read_at: null, next_read_cause: null };
  return { ...reported, closed: true, closed_as: closedAs, awaiting, ...nothingDue };
}
