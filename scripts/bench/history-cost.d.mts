import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type Events = readonly temporal.api.history.v1.IHistoryEvent[];

export type HistoryCost = {
  readonly names: readonly string[];
  readonly events: number;
  readonly tasks: number;
  readonly timersFired: number;
  readonly actions: number;
  readonly transitions: number;
  readonly bytes: number;
};

export function billableActions(events: Events): string[];
export function eventNames(events: Events): string[];
export function isQuiet(events: Events, seconds: number): boolean;
export function readsMade(events: Events): number;
export function costOf(client: Client, workflowId: string): Promise<HistoryCost>;
