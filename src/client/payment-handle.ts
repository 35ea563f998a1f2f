import { QueryRejectedError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { z } from 'zod';
import {
  abandonPayout,
  acknowledgeAttention,
  awaitStatus,
  completeThreeDSecure,
  provideCard,
  resolveRefund,
  resolveSubmission,
  retryPayout,
  retryRefund,
  threeDSecureToken,
} from '../contract/messages.js';
import type {
  AbandonPayout,
  AcknowledgeAttention,
  AwaitStatus,
  CompleteThreeDSecure,
  ProvideCard,
  ResolveRefund,
  ResolveSubmission,
  RetryPayout,
  RetryRefund,
  ThreeDSecureToken,
} from '../contract/messages.js';
import { accountValidationState, orderState, payoutState, refundState } from '../contract/state.js';
import type {
  AccountValidationState,
  OrderState,
  PaymentState,
  PayoutState,
  RefundState,
} from '../contract/state.js';
import { earlyClosingText, isEarly } from '../domain/closings.js';
import { CommandRefusedError, PaymentNotFoundError } from './errors.js';
import { describeExecution, type Execution } from './execution.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** How much longer than other calls a command may take: before a retry the payment asks the service. */
const commandMs = 20_000;

/** One payment: its state, and the commands that every kind takes. */
export class PaymentHandle<State extends PaymentState> {
  constructor(
    private readonly calls: TemporalCalls,
    readonly workflowId: string,
    private readonly stateSchema: z.ZodType<State>,
  ) {}

  /**
   * The state now, also of a payment that has ended. `closed_as` tells when its workflow was ended from outside.
   *
   * @throws PaymentNotFoundError, TemporalUnavailableError
   */
  async state(): Promise<State> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    try {
      const [execution, state] = await Promise.all([
        this.execution(),
        callTemporal(this.calls, () => handle.query<unknown>('state')),
      ]);
      return asClosed(this.stateSchema.parse(state), execution);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError) {
        throw new PaymentNotFoundError(this.workflowId);
      }
      throw error;
    }
  }

  /** What Temporal knows of it: its owner, and how it ended. @throws PaymentNotFoundError, TemporalUnavailableError */
  async execution(): Promise<Execution> {
    try {
      return await describeExecution(this.calls, this.workflowId);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new PaymentNotFoundError(this.workflowId);
      throw error;
    }
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
      throw error;
    }
  }

  /** Says what became of a submission of unknown fate. @throws CommandRefusedError, PaymentNotFoundError */
  async resolve(decision: ResolveSubmission): Promise<State> {
    return this.update('resolveSubmission', parseRequest(resolveSubmission, decision));
  }

  /** Says that a person has dealt with the attention. @throws CommandRefusedError, PaymentNotFoundError */
  async acknowledge(command: AcknowledgeAttention = {}): Promise<State> {
    return this.update('acknowledgeAttention', parseRequest(acknowledgeAttention, command));
  }

  /** Asks for a read of the service soon. @throws PaymentNotFoundError when the payment is unknown or has ended. */
  async hint(source: string): Promise<void> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    try {
      await callTemporal(this.calls, () => handle.signal('statusHint', { source }));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new PaymentNotFoundError(this.workflowId);
      throw error;
    }
  }

  protected update(name: string, message: object, waitMs = commandMs): Promise<State> {
    return this.ask(name, message, this.stateSchema, waitMs);
  }

  protected async ask<Answer>(
    name: string,
    message: object,
    answer: z.ZodType<Answer>,
    waitMs = commandMs,
  ): Promise<Answer> {
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    try {
      const call = () => handle.executeUpdate<unknown, [object]>(name, { args: [message] });
      return answer.parse(await callTemporal(this.calls, call, waitMs));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw await this.closedOrUnknown();
      throw error instanceof WorkflowUpdateFailedError ? refusal(error) : error;
    }
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

/** A payout, by pix or transfer. */
export class PayoutHandle extends PaymentHandle<PayoutState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, payoutState);
  }

  /** Pays a failed payout again, perhaps with corrected payee data. @throws CommandRefusedError */
  async retry(command: RetryPayout = {}): Promise<PayoutState> {
    return this.update('retryPayout', parseRequest(retryPayout, command));
  }

  /** Gives a failed payout up. @throws CommandRefusedError */
  async abandon(command: AbandonPayout = {}): Promise<PayoutState> {
    return this.update('abandonPayout', parseRequest(abandonPayout, command));
  }
}

/** An order, of whichever kind. */
export class OrderHandle extends PaymentHandle<OrderState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, orderState);
  }

  /** Says where a new card waits for an order that lost its own. @throws CommandRefusedError */
  async provideCard(card: ProvideCard): Promise<OrderState> {
    return this.update('provideCard', parseRequest(provideCard, card));
  }

  /** A token for the browser's 3D Secure flow, a new one each time. @throws CommandRefusedError */
  async issueThreeDSecureToken(): Promise<ThreeDSecureToken> {
    return this.ask('issueThreeDSecureToken', {}, threeDSecureToken);
  }

  /** Completes a 3D Secure order with a card from the card store. @throws CommandRefusedError */
  async completeThreeDSecure(command: CompleteThreeDSecure): Promise<OrderState> {
    return this.update('completeThreeDSecure', parseRequest(completeThreeDSecure, command));
  }
}

/** The refund of an order. */
export class RefundHandle extends PaymentHandle<RefundState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, refundState);
  }

  /** Asks the service once more. What may be queued already needs `nothing_queued`. @throws CommandRefusedError */
  async retry(command: RetryRefund = {}): Promise<RefundState> {
    return this.update('retryRefund', parseRequest(retryRefund, command));
  }

  /** Says what a person found out about a refund that comes to no end. @throws CommandRefusedError */
  async resolveRefund(command: ResolveRefund): Promise<RefundState> {
    return this.update('resolveRefund', parseRequest(resolveRefund, command));
  }
}

/** The validation of a bank account. */
export class AccountValidationHandle extends PaymentHandle<AccountValidationState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, accountValidationState);
  }
}

function refusal(error: WorkflowUpdateFailedError): Error {
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return error;
  if (cause.type === 'AcceptedUpdateCompletedWorkflow') return closed();
  return new CommandRefusedError(cause.type ?? 'Refused', cause.message);
}

function closed(how = 'The payment has ended.'): CommandRefusedError {
  return new CommandRefusedError('Closed', `${how} It takes no commands. Nothing was changed.`);
}

/** The state that a workflow reports, with what Temporal knows of its end: one that was terminated can't tell. */
function asClosed<State extends PaymentState>(state: State, { owner, closedAs }: Execution): State {
  const told = { ...state, started_by: state.started_by ?? owner };
  if (!isEarly(closedAs)) return { ...told, closed_as: state.closed ? 'completed' : null };
  const awaiting = `nothing: ${earlyClosingText(closedAs)}`;
  return { ...told, closed: true, closed_as: closedAs, awaiting, next_read_at: null, next_read_cause: null };
}
