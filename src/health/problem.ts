/**
 * What shows whether payments move: a closed list, in the order in which an operator should act.
 * A row each in docs/operations.md.
 */
export const healthChecks = [
  'temporal',
  'payload_keys',
  'card_store',
  'output',
  'workers',
  'workflow_tasks',
  'credentials',
  'service',
  'clock',
  'unsent',
  'reconciliation',
] as const;

export type HealthCheck = (typeof healthChecks)[number];

/** Something that keeps payments from moving: what was seen and what to do. */
export type HealthProblem = {
  readonly check: HealthCheck;
  readonly detail: string;
  readonly action: string;
  /** Some of those that it concerns, for who may see payments. */
  readonly workflowIds?: readonly string[];
};

/** What was seen, with those that it concerns. */
export function inWords({ detail, workflowIds = [] }: HealthProblem): string {
  return workflowIds.length === 0 ? detail : `${detail} Among them: ${workflowIds.join(', ')}.`;
}

/**
 * Problems of one gateway alone, which another may not have: a load balancer should send requests there. All others
 * are the whole system's: starts are still taken and kept, so no gateway leaves its balancer because of them.
 */
export const blocking: ReadonlySet<HealthCheck> = new Set([
  'temporal',
  'payload_keys',
  'card_store',
  'output',
]);
