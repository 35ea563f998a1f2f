import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { ChangesPage } from '../contract/http/changes.js';
import type { PaymentListing } from '../contract/http/lists.js';
import type { IdentifierShared, StatusHint } from '../contract/messages.js';
import type { NexusReadPayment } from '../contract/nexus.js';
import type { WebhookResendInput } from '../contract/webhook-resend.js';
import { isPayoutId } from '../domain/ids.js';
import { workflowTypes } from '../domain/kinds.js';
import { statusesNotUnderWay } from '../domain/reconciling.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { claimIdentifier } from './claim-identifier.js';
import { TemporalUnavailableError } from './errors.js';
import { describeExecution } from './execution.js';
import { failedPayoutsOf } from './failed-payouts.js';
import { findShared, identifierOwners } from './identifier-owners.js';
import { listAll, notContinued } from './list-all.js';
import { listChanges } from './list-changes.js';
import { areOfPayment } from './notification-origin.js';
import { openBulkRetries, pendingOf } from './open-bulk-retries.js';
import { payoutStarter } from './payout-starter.js';
import { readPayment } from './read-payment.js';
import { resendNotifications, type Resent } from './resend-notifications.js';
import { callTemporal } from './temporal-calls.js';
import { neverStartedAfterMs } from '../temporal/never-started.js';
import { ServerClock } from '../temporal/server-clock.js';
import { isSearchable, listOf, quoted } from './visibility-words.js';
import { spellingsOf } from '../domain/service-ids.js';

const { PaymentStatus, PaymentPartnerCode, PaymentServiceId } = searchAttributes;

/**
 * What workers do with the payments of their own task queue: start, find, hint and retry them.
 *
 * @param callTimeoutMs how long one call of Temporal may take
 */
export function ownPayments(client: Client, taskQueue: string, callTimeoutMs = 10_000) {
  const clock = new ServerClock(client);
  const calls = { client, callTimeoutMs, clock };
  const ours = `WorkflowType = '${workflowTypes.payout}' AND TaskQueue = ${quoted(taskQueue)}`;

  /** Signals a payment. False when it is closed. */
  async function signalled(workflowId: string, name: string, message: object): Promise<boolean> {
    try {
      await callTemporal(calls, () => client.workflow.getHandle(workflowId).signal(name, message));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async function ownersOf(serviceId: string, workflowId: string): Promise<string[]> {
    const owners = await identifierOwners(calls, taskQueue, [serviceId]);
    return owners
      .flatMap(({ workflowIds }) => workflowIds)
      .filter((id) => id !== workflowId && isPayoutId(id) === isPayoutId(workflowId));
  }

  return {
    ...failedPayoutsOf(calls, ours),

    openBulkRetries: () => openBulkRetries(calls, taskQueue),

    pendingOf: (bulkRetryId: string) => pendingOf(calls, bulkRetryId),

    readPayment: (payment: NexusReadPayment) => readPayment(calls, payment),

    startPayout: payoutStarter(client, taskQueue, callTimeoutMs),

    ownerOf: async (workflowId: string): Promise<string | undefined> =>
      (await describeExecution(calls, workflowId)).owner ?? undefined,

    openPayouts: (which: 'all' | 'moving'): AsyncIterable<PaymentListing[]> => {
      const wanted =
        which === 'all'
          ? `${PaymentServiceId.name} IS NOT NULL`
          : `${PaymentStatus.name} NOT IN (${listOf(statusesNotUnderWay)})`;
      return listAll(calls, `${ours} AND ExecutionStatus = 'Running' AND ${wanted}`);
    },

    payoutsOf: async (
      partnerCodes: readonly string[],
      serviceIds: readonly string[],
    ): Promise<PaymentListing[]> => {
      const ids = serviceIds.filter(isSearchable).flatMap(spellingsOf);
      const alternatives = [
        ...(partnerCodes.length > 0 ? [`${PaymentPartnerCode.name} IN (${listOf(partnerCodes)})`] : []),
        ...(ids.length > 0 ? [`${PaymentServiceId.name} IN (${listOf(ids)})`] : []),
      ];
      const found: PaymentListing[] = [];
      if (alternatives.length === 0) return found;
      for await (const page of listAll(
        calls,
        `${ours} AND ${notContinued} AND (${alternatives.join(' OR ')})`,
      ))
        found.push(...page);
      return found;
    },

    /** Page after page, the latest start first; a payout that went on in a new run counts as started then. */
    payoutsStarted: (fromMs: number, beforeMs: number): AsyncIterable<PaymentListing[]> => {
      const [from, before] = [fromMs, beforeMs].map((ms) => quoted(new Date(ms).toISOString()));
      return listAll(calls, `${ours} AND ${notContinued} AND StartTime >= ${from} AND StartTime < ${before}`);
    },

    ownersOf,

    neverStartedAfterMs: (workflowId: string, runId: string): Promise<number | null> =>
      callTemporal(calls, () => neverStartedAfterMs(client, workflowId, runId)),

    claim: async (serviceId: string, workflowId: string, searchableFromMs: number): Promise<string> => {
      const now = await callTemporal(calls, () => clock.current());
      await sleep(Math.max(0, searchableFromMs - now));
      const [owner] = await ownersOf(serviceId, workflowId);
      return owner ?? claimIdentifier(calls, { now, serviceId, taskQueue, workflowId });
    },

    findShared: (since: string) => findShared(calls, taskQueue, clock, since),

    signalShared: async (workflowId: string, shared: IdentifierShared): Promise<void> => {
      await signalled(workflowId, 'identifierShared', shared);
    },

    changedPayments: (since: string, owner?: string): Promise<ChangesPage> =>
      listChanges(calls, { since, ...(owner === undefined ? {} : { owner }) }, clock, taskQueue),

    areOfPayment: (webhook: string, notifications: unknown): Promise<boolean> =>
      areOfPayment(calls, webhook, notifications),

    resendNotifications: async (
      request: WebhookResendInput,
      workflowId: string,
    ): Promise<Resent | 'unreadable' | 'unavailable'> => {
      try {
        return await resendNotifications(calls, taskQueue, request, workflowId);
      } catch (error) {
        return error instanceof TemporalUnavailableError ? 'unavailable' : 'unreadable';
      }
    },

    hintPayout: async (workflowId: string, status?: string): Promise<boolean> => {
      const hint: StatusHint = {
        source: 'payoutReconciliation',
        ...(status === undefined ? {} : { status }),
      };
      return signalled(workflowId, 'statusHint', hint);
    },
  };
}
