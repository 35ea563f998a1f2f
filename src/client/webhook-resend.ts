import { comparedWith } from '../contract/canonical.js';
import {
  webhookResendInput,
  webhookResendState,
  type WebhookResendInput,
  type WebhookResendState,
} from '../contract/webhook-resend.js';
import { webhookResendWorkflowId } from '../domain/ids.js';
import { startOnce, type StartedFor } from '../temporal/start-once.js';
import { WebhookResendConflictError, WebhookResendNotFoundError } from './errors.js';
import { describeExecution } from './execution.js';
import { parseRequest } from './parse.js';
import { requireRoom } from './require-room.js';
import { query } from './query.js';
import { callTemporal, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/**
 * Starts a resend, or finds the one that the same request started before.
 *
 * @throws InvalidRequestError, WebhookResendConflictError, TooManyRunningError, TemporalUnavailableError
 */
export async function startWebhookResend(
  calls: TemporalCalls,
  options: StartedFor & { taskQueue: string },
  request: unknown,
): Promise<{ initial: WebhookResendState; repeated: boolean }> {
  const input = parseRequest(webhookResendInput, request);
  const workflowId = webhookResendWorkflowId(input.resend_id);
  await requireRoom(calls, 'webhookResend', workflowId, options.owner);
  const outcome = await callTemporal(calls, () =>
    startOnce(
      calls.client,
      {
        workflowType: 'webhookResend',
        workflowId,
        input,
        summary: `Resend of notifications ${input.resend_id}`,
        ...comparedWith(input, (recorded) => webhookResendInput.safeParse(recorded).data),
      },
      options,
    ),
  );
  if (outcome.kind === 'conflict') {
    throw new WebhookResendConflictError(outcome.workflowId, outcome.difference, outcome.fields);
  }
  return { initial: initialState(input, options.owner ?? null), repeated: outcome.kind === 'existing' };
}

/** As it stands the moment it was started: no worker has to answer for that. */
function initialState({ by, resend_id: id }: WebhookResendInput, owner: string | null): WebhookResendState {
  return {
    resend_id: id,
    workflow_id: webhookResendWorkflowId(id),
    started_by: owner,
    by,
    status: 'running',
    counts: { payments: 0, resent: 0, waiting: 0, unreadable: 0 },
    started_at: new Date().toISOString(),
    closed: false,
  };
}

/** One resend of notifications. */
export class WebhookResendHandle {
  readonly workflowId: string;

  constructor(
    private readonly calls: TemporalCalls,
    readonly resendId: string,
  ) {
    this.workflowId = webhookResendWorkflowId(resendId);
  }

  /** The state now, also of one that is over. @throws WebhookResendNotFoundError, TemporalUnavailableError */
  async state(): Promise<WebhookResendState> {
    const { closedAs } = await this.#found(() => describeExecution(this.calls, this.workflowId));
    const state = webhookResendState.parse(
      await this.#found(() => query(this.calls, this.workflowId, 'state')),
    );
    return state.closed || closedAs === null ? state : { ...state, status: 'stopped', closed: true };
  }

  /** Who started it: the name of an API key, or null. @throws WebhookResendNotFoundError, TemporalUnavailableError */
  owner(): Promise<string | null> {
    return this.#found(async () => (await describeExecution(this.calls, this.workflowId)).owner);
  }

  #found<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return unlessNotFound(ask, () => new WebhookResendNotFoundError(this.workflowId));
  }
}
