import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import type { RenewToken } from '../contract/messages.js';
import type { SealedToken, TokenRenewalInput } from '../contract/token.js';
import { priorityKeys } from '../domain/priorities.js';
import { parseBaseUrl } from '../payments-service/base-url.js';
import { unsealToken } from '../payments-service/token-seal.js';
import type { ServiceToken, TokenSource } from '../payments-service/token-source.js';
import { idPrefixes } from '../domain/id-prefixes.js';

export type TokenSourceOptions = {
  client: Client;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The main task queue, where the workflow `tokenRenewal` runs. */
  taskQueue: string;
  /** Temporal's time, by which tokens are issued: milliseconds since the epoch. */
  now: () => number;
  /** How long anyone waits for a token. */
  timeoutMs?: number;
};

const defaultTimeoutMs = 10_000;
/** A token is held in memory for this share of its life; the workflow has renewed it by then. */
const heldPart = 0.9;
/** A finished Update may answer an older token; asking again settles it. */
const maxRounds = 3;

const sealedToken: z.ZodType<SealedToken> = z.object({
  generation: z.int().min(1),
  sealed: z.string(),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** The id of the one workflow that renews the tokens of a service account. */
export function tokenRenewalId(baseUrl: string, clientId: string): string {
  const { origin, pathPrefix } = parseBaseUrl(baseUrl);
  const hash = createHash('sha256').update(`${origin}${pathPrefix}\0${clientId}`).digest('hex');
  return `${idPrefixes.tokenRenewal}-${hash.slice(0, 16)}`;
}

/** The task queue of `authenticate` alone: a renewal never waits behind the calls that need it. */
export function tokenTaskQueue(taskQueue: string): string {
  return `${taskQueue}-token`;
}

/**
 * The fleet's token: kept in the memo of the workflow `tokenRenewal`, held in memory, renewed by Update. Whoever
 * needs it first starts the workflow. A token that cannot be unsealed, or is over its time, counts as rejected.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { client, clientSecret, now, timeoutMs = defaultTimeoutMs } = options;
  const workflowId = tokenRenewalId(options.baseUrl, options.clientId);
  let held: (ServiceToken & { until: number }) | undefined;
  let rejected = 0;
  let fetching: Promise<ServiceToken> | undefined;

  /** By Temporal alone: the answer of a worker that has died would be waited for for ten seconds. */
  const known = async (): Promise<SealedToken | null> => {
    try {
      const { memo = {} } = await client.workflow.getHandle(workflowId).describe();
      return sealedToken.nullable().parse(memo.token ?? null);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  };

  const renew = async (rejectedGeneration: number): Promise<SealedToken> => {
    const renewal: TokenRenewalInput = { token_task_queue: tokenTaskQueue(options.taskQueue) };
    const message: RenewToken = { rejected_generation: rejectedGeneration };
    const renewed: unknown = await client.workflow.executeUpdateWithStart('renewToken', {
      updateId: `renew-${String(rejectedGeneration)}`,
      args: [message],
      startWorkflowOperation: new WithStartWorkflowOperation('tokenRenewal', {
        workflowId,
        taskQueue: options.taskQueue,
        args: [renewal],
        workflowIdConflictPolicy: 'USE_EXISTING',
        priority: { priorityKey: priorityKeys.tokenRenewal },
      }),
    });
    return sealedToken.parse(renewed);
  };

  const open = (sealed: SealedToken | null): ServiceToken | undefined => {
    if (sealed === null || sealed.generation <= rejected) return undefined;
    const issuedAt = Date.parse(sealed.issued_at);
    const expiresAt = Date.parse(sealed.expires_at);
    const token = unsealToken(clientSecret, sealed);
    if (token === undefined || expiresAt <= now()) return undefined;
    held = { token, generation: sealed.generation, until: issuedAt + heldPart * (expiresAt - issuedAt) };
    return held;
  };

  const fetch = async (): Promise<ServiceToken> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const kept = await known();
      const latest = kept?.generation ?? 0;
      // Below what was rejected: the workflow was started anew and counts from 1 again.
      if (latest < rejected) rejected = 0;
      const token = open(kept) ?? open(await renew(latest));
      if (token !== undefined) return token;
    }
    throw new Error('No usable access token of the service could be had.');
  };

  const fetchOnce = (): Promise<ServiceToken> => {
    fetching ??= client
      .withDeadline(Date.now() + timeoutMs, () => withinTime(fetch(), timeoutMs))
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };

  return {
    async current() {
      const { token, generation } =
        held !== undefined && held.until > now() ? held : await withinTime(fetchOnce(), timeoutMs);
      return { token, generation };
    },
    async reject(generation) {
      rejected = Math.max(rejected, generation);
      if (held !== undefined && held.generation <= rejected) held = undefined;
      if (held === undefined) await withinTime(fetchOnce(), timeoutMs);
    },
  };
}

async function withinTime<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The access token of the service was not to be had in time.'));
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
