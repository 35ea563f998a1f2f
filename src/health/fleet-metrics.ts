import { Gauge, type Registry } from 'prom-client';
import { prefix } from '../metrics/registry.js';
import type { AttentionCounts, PaymentCounts } from './census.js';
import type { FleetView } from './fleet.js';
import { healthChecks } from './problem.js';

/** Of the gateway's clock, and of the worker's that answered it; at a worker of its own. */
export function clockGauge(registry: Registry): Gauge<'of'> {
  return new Gauge({
    name: `${prefix}clock_offset_seconds`,
    help: 'How far a clock is ahead of that of Temporal.',
    labelNames: ['of'],
    registers: [registry],
  });
}

/** What the gateway shows of the whole system. Each gateway shows the same: take the maximum over them. */
export function fleetMetrics(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: prefix + name, help, labelNames, registers: [registry] });
  const payments = gauge('payments', 'Open payments by kind and status.', 'kind', 'status');
  const attention = gauge('attention', 'Open payments that need an operator, by reason.', 'reason');
  const oldestAttention = gauge(
    'oldest_attention_seconds',
    'How long the oldest payment that needs an operator for a reason has been as it is; 0 when there is none.',
    'reason',
  );
  const oldestUnsent = gauge(
    'oldest_unsent_seconds',
    'How long the oldest payment that waits to be sent has waited; 0 when there is none.',
  );
  const failingTasks = gauge('failing_tasks', 'Workflows whose tasks workers fail again and again.');
  const pollers = gauge('worker_pollers', 'Workers that poll a task queue.', 'task_queue');
  const problems = gauge(
    'problem',
    'Whether payments are kept from moving: 1 when a check finds it so.',
    'check',
  );
  const token = gauge(
    'token_remaining_seconds',
    'How long the access token of the service is still valid; 0 without one.',
  );
  const clock = clockGauge(registry);
  const counted = gauge('last_count_timestamp_seconds', 'When the open payments were last counted.');
  const checked = gauge('last_check_timestamp_seconds', 'When the system was last looked at.');

  return {
    show(view: FleetView): void {
      const found = new Set(view.problems.map(({ check }) => check));
      for (const check of healthChecks) problems.set({ check }, found.has(check) ? 1 : 0);
      for (const [queue, count] of Object.entries(view.pollers)) pollers.set({ task_queue: queue }, count);
      if (view.oldestUnsentMs !== null) oldestUnsent.set(view.oldestUnsentMs / 1_000);
      if (view.failingTasks !== null) failingTasks.set(view.failingTasks);
      const now = Date.now() - (view.clockOffsetMs ?? 0);
      const remaining = view.tokenExpiresAt === null ? 0 : (view.tokenExpiresAt - now) / 1_000;
      token.set(Math.max(0, remaining));
      if (view.clockOffsetMs !== null) clock.set({ of: 'gateway' }, view.clockOffsetMs / 1_000);
      if (view.workerClockOffsetMs !== null) clock.set({ of: 'worker' }, view.workerClockOffsetMs / 1_000);
      checked.setToCurrentTime();
    },
    count(open: PaymentCounts, needing: AttentionCounts): void {
      for (const { kind, status, count } of open) payments.set({ kind, status }, count);
      for (const { reason, count, oldestMs } of needing) {
        attention.set({ reason }, count);
        oldestAttention.set({ reason }, oldestMs / 1_000);
      }
      counted.setToCurrentTime();
    },
  };
}

export type FleetMetrics = ReturnType<typeof fleetMetrics>;
