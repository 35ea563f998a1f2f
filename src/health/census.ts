import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { attentions, type Attention } from '../domain/attention.js';
import { workflowTypes, type PaymentKind } from '../domain/kinds.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { knownStatuses } from '../domain/statuses.js';
import type { ServerClock } from '../temporal/server-clock.js';
import { oldestMs } from './ages.js';

const { PaymentAttention, PaymentStatus } = searchAttributes;
/** Temporal answers few searches a second, and operators and the reconciliation need some of them. */
const betweenSearchesMs = 200;

/** How many open payments there are, by kind and status; statuses of the service that nobody knows are `other`. */
export type PaymentCounts = readonly { kind: PaymentKind; status: string; count: number }[];

/** How many open payments need an operator for each reason, and how long the oldest of them has been as it is. */
export type AttentionCounts = readonly { reason: Attention; count: number; oldestMs: number }[];

/** Counts the open payments of a task queue without reading them: as cheap for millions as for ten. */
export class Census {
  readonly #ours: string;

  constructor(
    private readonly client: Client,
    taskQueue: string,
    private readonly clock: ServerClock,
    private readonly signal: AbortSignal,
  ) {
    this.#ours = `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`;
  }

  async payments(): Promise<PaymentCounts> {
    const counts: { kind: PaymentKind; status: string; count: number }[] = [];
    for (const [kind, type] of Object.entries(workflowTypes) as [PaymentKind, string][]) {
      const ofKind = `${this.#ours} AND WorkflowType = '${type}'`;
      let rest = await this.#count(ofKind);
      for (const status of knownStatuses(kind)) {
        const count = rest === 0 ? 0 : await this.#count(`${ofKind} AND ${PaymentStatus.name} = '${status}'`);
        counts.push({ kind, status, count });
        rest -= Math.min(rest, count);
      }
      counts.push({ kind, status: 'other', count: rest });
    }
    return counts;
  }

  async attention(): Promise<AttentionCounts> {
    const counts: { reason: Attention; count: number; oldestMs: number }[] = [];
    let rest = await this.#count(`${this.#ours} AND ${PaymentAttention.name} IS NOT NULL`);
    for (const reason of attentions) {
      const query = `${this.#ours} AND ${PaymentAttention.name} = '${reason}'`;
      const count = rest === 0 ? 0 : await this.#count(query);
      const oldest = count === 0 ? 0 : await oldestMs(this.client, query, this.clock.now());
      counts.push({ reason, count, oldestMs: oldest });
      rest -= Math.min(rest, count);
    }
    return counts;
  }

  async #count(query: string): Promise<number> {
    await sleep(betweenSearchesMs, undefined, { signal: this.signal, ref: false });
    return (await this.client.workflow.count(query)).count;
  }
}
