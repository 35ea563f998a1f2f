import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { PaymentListing } from '../contract/http/lists.js';
import type { StatusHint } from '../contract/messages.js';
import { workflowTypes } from '../domain/kinds.js';
import { statusesAtRest } from '../domain/reconciling.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { describeExecution } from './execution.js';
import { listing } from './list-payments.js';
import { payoutStarter } from './payout-starter.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';

const { PaymentStatus, PaymentPartnerCode, PaymentServiceId } = searchAttributes;
const pageSize = 500;
const callTimeoutMs = 10_000;

/** What workers do with the payments of their own task queue: start payouts, find them, hint them. */
export function ownPayments(client: Client, taskQueue: string) {
  const calls = { client, callTimeoutMs };
  const ours = `WorkflowType = '${workflowTypes.payout}' AND TaskQueue = ${quoted(taskQueue)}`;

  return {
    startPayout: payoutStarter(client, taskQueue, callTimeoutMs),

    ownerOf: async (workflowId: string): Promise<string | undefined> =>
      (await describeExecution(calls, workflowId)).owner ?? undefined,

    openPayouts: (which: 'all' | 'moving'): AsyncIterable<PaymentListing[]> => {
      const wanted =
        which === 'all'
          ? `${PaymentServiceId.name} IS NOT NULL`
          : `${PaymentStatus.name} NOT IN (${listOf(statusesAtRest)})`;
      return listAll(calls, `${ours} AND ExecutionStatus = 'Running' AND ${wanted}`);
    },

    payoutsOf: async (
      partnerCodes: readonly string[],
      serviceIds: readonly string[],
    ): Promise<PaymentListing[]> => {
      const alternatives = [
        ...(partnerCodes.length > 0 ? [`${PaymentPartnerCode.name} IN (${listOf(partnerCodes)})`] : []),
        ...(serviceIds.length > 0 ? [`${PaymentServiceId.name} IN (${listOf(serviceIds)})`] : []),
      ];
      const found: PaymentListing[] = [];
      if (alternatives.length === 0) return found;
      for await (const page of listAll(calls, `${ours} AND (${alternatives.join(' OR ')})`))
        found.push(...page);
      return found;
    },

    ownersOf: async (serviceId: string): Promise<string[]> => {
      const owned = `TaskQueue = ${quoted(taskQueue)} AND ${PaymentServiceId.name} = ${quoted(serviceId)}`;
      const found: string[] = [];
      const query = `${owned} AND WorkflowType != '${workflowTypes.refund}'`;
      for await (const page of listAll(calls, query)) found.push(...page.map(({ workflow_id: id }) => id));
      return found;
    },

    hintPayout: async (workflowId: string, status?: string): Promise<boolean> => {
      const hint: StatusHint = {
        source: 'payoutReconciliation',
        ...(status === undefined ? {} : { status }),
      };
      try {
        await callTemporal(calls, () => client.workflow.getHandle(workflowId).signal('statusHint', hint));
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
  };
}

async function* listAll(calls: TemporalCalls, query: string): AsyncGenerator<PaymentListing[]> {
  const { client } = calls;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page: Awaited<ReturnType<typeof client.workflowService.listWorkflowExecutions>> =
      await callTemporal(calls, () =>
        client.workflowService.listWorkflowExecutions({
          namespace: client.options.namespace,
          query,
          pageSize,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        }),
      );
    yield page.executions.map(listing);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

function listOf(words: readonly string[]): string {
  return words.map(quoted).join(', ');
}

function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
