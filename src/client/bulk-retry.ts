import { WorkflowUpdateFailedError } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowNotFoundError,
  defineSearchAttributeKey,
  type SearchAttributePair,
} from '@temporalio/common';
import { z } from 'zod';
import {
  bulkRetryCommand,
  bulkRetryInput,
  bulkRetryLine,
  bulkRetryPages,
  bulkRetryState,
  type BulkRetryCommand,
  type BulkRetryInput,
  type BulkRetryLine,
  type BulkRetryPages,
  type BulkRetryState,
} from '../contract/bulk-retry.js';
import { comparedWith } from '../contract/canonical.js';
import { firstBulkRetryStatus } from '../domain/bulk-retry-status.js';
import { bulkRetryPageId, bulkRetryWorkflowId } from '../domain/ids.js';
import { bulkRetryKind } from '../domain/kinds.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { startOnce, type StartedFor } from '../temporal/start-once.js';
import { initialBulkRetry } from './initial-bulk-retry.js';
import { BulkRetryConflictError, BulkRetryNotFoundError, CommandRefusedError } from './errors.js';
import { describeExecution } from './execution.js';
import { refusal } from './refusal.js';
import { parseRequest } from './parse.js';
import { requireRoom } from './require-room.js';
import { query } from './query.js';
import { callTemporal, sendCommand, unlessNotFound } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

/** A pause or a stop is answered when the retries under way have ended. */
const commandMs = 60_000;

/**
 * Starts a bulk retry, or finds the one that the same request started before.
 *
 * @throws InvalidRequestError, BulkRetryConflictError, TooManyRunningError, TemporalUnavailableError
 */
export async function startBulkRetry(
  calls: TemporalCalls,
  options: StartedFor & { taskQueue: string },
  request: unknown,
): Promise<{ initial: BulkRetryState; repeated: boolean }> {
  const input = parseRequest(bulkRetryInput, request);
  const workflowId = bulkRetryWorkflowId(input.bulk_retry_id);
  await requireRoom(calls, 'bulkRetry', workflowId, options.owner);
  const outcome = await callTemporal(calls, () =>
    startOnce(
      calls.client,
      {
        workflowType: 'bulkRetry',
        workflowId,
        input,
        searchAttributes: attributesAtStart(input),
        summary: `Bulk retry ${input.bulk_retry_id}${input.dry_run === true ? ' (dry run)' : ''}`,
        ...comparedWith(input, (recorded) => bulkRetryInput.safeParse(recorded).data),
      },
      options,
    ),
  );
  if (outcome.kind === 'conflict') {
    throw new BulkRetryConflictError(outcome.workflowId, outcome.difference, outcome.fields);
  }
  return { initial: initialBulkRetry(input, options.owner ?? null), repeated: outcome.kind === 'existing' };
}

function attributesAtStart(input: BulkRetryInput): TypedSearchAttributes {
  const { PaymentKind, PaymentStatus } = searchAttributes;
  const pairs: SearchAttributePair[] = [
    { key: defineSearchAttributeKey(PaymentKind.name, PaymentKind.type), value: bulkRetryKind },
    {
      key: defineSearchAttributeKey(PaymentStatus.name, PaymentStatus.type),
      value: firstBulkRetryStatus(input),
    },
  ];
  return new TypedSearchAttributes(pairs);
}

/** One bulk retry: its state, its commands, its report. */
export class BulkRetryHandle {
  readonly workflowId: string;

  constructor(
    private readonly calls: TemporalCalls,
    readonly bulkRetryId: string,
  ) {
    this.workflowId = bulkRetryWorkflowId(bulkRetryId);
  }

  /** The state now, also of one that is over. @throws BulkRetryNotFoundError, TemporalUnavailableError */
  async state(): Promise<BulkRetryState> {
    return bulkRetryState.parse(await this.#query(this.workflowId, 'state'));
  }

  /** Its pages. @throws BulkRetryNotFoundError, TemporalUnavailableError */
  async pages(): Promise<BulkRetryPages> {
    return bulkRetryPages.parse(await this.#query(this.workflowId, 'pages'));
  }

  /** Who started it: the name of an API key, or null. @throws BulkRetryNotFoundError, TemporalUnavailableError */
  async owner(): Promise<string | null> {
    return this.#found(async () => (await describeExecution(this.calls, this.workflowId)).owner);
  }

  /** Retries no more until it is resumed; answered when none is under way. @throws CommandRefusedError */
  pause(command: BulkRetryCommand): Promise<BulkRetryState> {
    return this.#command('pause', command);
  }

  /** Goes on after a pause, or after it has stopped by itself. @throws CommandRefusedError */
  resume(command: BulkRetryCommand): Promise<BulkRetryState> {
    return this.#command('resume', command);
  }

  /** Retries no more, for good; answered when none is under way. @throws CommandRefusedError */
  stop(command: BulkRetryCommand): Promise<BulkRetryState> {
    return this.#command('stop', command);
  }

  /** The outcome of each payout, page after page. @throws BulkRetryNotFoundError, TemporalUnavailableError */
  async *report(): AsyncGenerator<readonly BulkRetryLine[]> {
    for (const page of (await this.pages()).numbers) yield await this.page(page);
  }

  /** The outcome of each payout of one page. @throws BulkRetryNotFoundError, TemporalUnavailableError */
  async page(number: number): Promise<BulkRetryLine[]> {
    const lines = await this.#query(bulkRetryPageId(this.bulkRetryId, number), 'report');
    return z.array(bulkRetryLine).parse(lines);
  }

  async #command(name: 'pause' | 'resume' | 'stop', command: BulkRetryCommand): Promise<BulkRetryState> {
    const message = parseRequest(bulkRetryCommand, command);
    const handle = this.calls.client.workflow.getHandle(this.workflowId);
    const update = (bound: object) =>
      handle.executeUpdate<unknown, [BulkRetryCommand]>(name, { args: [{ ...bound, ...message }] });
    try {
      return bulkRetryState.parse(await sendCommand(this.calls, update, commandMs));
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) throw refusal(error);
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await this.owner();
      throw new CommandRefusedError('Closed', 'This bulk retry is over. Nothing was changed.');
    }
  }

  #query(workflowId: string, name: 'state' | 'pages' | 'report'): Promise<unknown> {
    return this.#found(() => query(this.calls, workflowId, name));
  }

  #found<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return unlessNotFound(ask, () => new BulkRetryNotFoundError(this.workflowId));
  }
}
