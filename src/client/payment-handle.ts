import { QueryRejectedError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { z } from 'zod';
import { acknowledgeAttention, awaitStatus, resolveSubmission } from '../contract/messages.js';
import type { AcknowledgeAttention, AwaitStatus, ResolveSubmission } from '../contract/messages.js';
import type { PaymentState } from '../contract/state.js';
import { earlyClosingText, isEarly } from '../domain/closings.js';
import {
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
import { callTemporal, failedPrecondition, query, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** How much longer than other calls a command may take: before a retry the payment reads at the service. */
const commandMs = 20_000;

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
   * @throws PaymentNotFoundError, TemporalUnavailableError
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
      return await this.update('awaitStatus', message, message.timeout_seconds * 1_000);
    } catch (error) {
      if (error instanceof CommandRefusedError && error.reason === 'Closed') return this.state();
      if (error instanceof TemporalUnavailableError && isTaskLost(error.cause)) return this.state();
      throw error;
    }
  }

  /** Resolves a submission of unknown outcome. @throws CommandRefusedError, PaymentNotFoundError */
  async resolve(decision: ResolveSubmission): Promise<State> {
    return this.update('resolveSubmission', parseRequest(resolveSubmission, decision));
  }

  /** Acknowledges an attention that an operator has dealt with. @throws CommandRefusedError, PaymentNotFoundError */
  async acknowledge(command: AcknowledgeAttention): Promise<State> {
    return this.update('acknowledgeAttention', parseRequest(acknowledgeAttention, command));
  }

  /** Makes a read of the service due now. @throws PaymentNotFoundError when the payment is unknown or has ended. */
  async hint(source: string): Promise<void> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    const send = () => callTemporal(this.calls, () => handle.signal('statusHint', { source }));
    await unlessNotFound(send, () => new PaymentNotFoundError(this.workflowId));
  }

  protected update(name: string, message: object, waitMs = commandMs, updateId?: string): Promise<State> {
    return this.ask(name, message, this.stateSchema, waitMs, updateId);
  }

  protected async ask<Answer>(
    name: string,
    message: object,
    answer: z.ZodType<Answer>,
    waitMs = commandMs,
    updateId?: string,
  ): Promise<Answer> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    try {
      const call = () =>
        handle.executeUpdate<unknown, [object]>(name, {
          args: [message],
          ...(updateId === undefined ? {} : { updateId }),
        });
      return answer.parse(await callTemporal(this.calls, call, waitMs));
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
  const nothingDue = { commands: [], next_read_at: null, next_read_cause: null };
  return { ...reported, closed: true, closed_as: closedAs, awaiting, ...nothingDue };
}
