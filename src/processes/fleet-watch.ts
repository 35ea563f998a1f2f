import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { standardOutput } from '../audit/output.js';
import type { GatewayConfig } from '../config/settings.js';
import type { HealthReport } from '../gateway/deps.js';
import { countPayments } from '../health/counting.js';
import { fleetMetrics } from '../health/fleet-metrics.js';
import { outputProblems } from '../health/output.js';
import { inWords } from '../health/problem.js';
import { watchHealth } from '../health/watch.js';
import { tokenRenewalId } from '../temporal/token-source.js';
import type { Logger } from './logger.js';
import type { ActivityDependencies } from './activity-dependencies.js';

export type FleetWatch = { report(): HealthReport | null; stop(): Promise<void> };

/** Of this process alone, as they are now. */
const ownProblems = () => outputProblems(standardOutput().state);

/** What a gateway watches of the whole system, for its /readyz, its log and its metrics. */
export function watchFleet({
  client,
  config,
  cardStore,
  dependencies,
  logger,
  registry,
}: {
  client: Client;
  config: Pick<GatewayConfig, 'taskQueue' | 'payments'>;
  cardStore: { taskQueue: string };
  dependencies: ActivityDependencies;
  logger: Logger;
  registry: Registry;
}): FleetWatch {
  const { taskQueue, payments } = config;
  const { clock } = dependencies;
  const metrics = fleetMetrics(registry);
  const watch = watchHealth({
    target: {
      client,
      taskQueue,
      tokenRenewalId: tokenRenewalId(payments.baseUrl, payments.clientId),
      baseUrl: payments.baseUrl,
      cardTaskQueue: cardStore.taskQueue,
    },
    clock,
    needToken: () => dependencies.sending.tokens.current(),
    onChange: (problem, now) => {
      const { check, action } = problem;
      if (now === 'found') logger.error({ check, action }, inWords(problem));
      else logger.info({ check }, 'no longer a problem');
    },
    onView: (view) => metrics.show({ ...view, problems: [...ownProblems(), ...view.problems] }),
  });

  const counting = countPayments(client, taskQueue, clock, metrics, (failure) => {
    if (failure === null) logger.info('payments are counted again');
    else logger.warn({ error: failure }, 'payments can not be counted: their metrics are those of before');
  });

  return {
    report: () => {
      const latest = watch.latest();
      const own = ownProblems();
      if (latest === null) return own.length === 0 ? null : { problems: own, checkedAt: new Date() };
      return { problems: [...own, ...latest.view.problems], checkedAt: latest.checkedAt };
    },
    stop: async () => {
      await Promise.all([watch.stop(), counting.stop()]);
    },
  };
}
