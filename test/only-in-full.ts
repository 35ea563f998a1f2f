/**
 * Test files that only `FULL=1 npm test` runs, as in `.ci/run full`: each with what protects the same in every `npm test`.
 * Named as below `test/`, without `.test.ts`.
 */
export const onlyInFull: Readonly<Record<string, string>> = {
  'workflows/queries-before-tasks.server':
    'replay/recorded; each history that a server test makes is replayed',
  'workflows/turns.server': 'workflows/loop, domain/submission, replay/recorded',
  'workflows/sampled-plans.server': 'simulation/simulation, and one life of each kind on servers',
  'workflows/event-budget.server': 'workflows/whole-life.server counts the actions of whole lives',
  'security/floods.server': 'gateway/payments/postback-coalescer, security/attacks/postback-sender',
  'docs/incidents.process': 'docs/commands, docs/links; workflows/offered-commands',
  'docs/pages.process':
    'docs/requests, docs/commands, docs/operations, docs/links; processes/demo.process, processes/start.process',
  'processes/lingering.process':
    'processes/killed-processes.process, activities/lingering, workflows/lingering',
  'processes/pace.process': 'domain/cadence, activities/rate-limiter, client/priorities.server',
  'operators/clocks.process': 'activities/sending-once, health/clocks.server',
  'security/rotation.process': 'temporal/payload-codec, workflows/token-renewal.server',
  'security/core-dumps.process': 'security/leak.process, security/attacks/neighbours.process',
  'security/attacks/unread-output.process': 'audit/output, health/output',
  'package.process': 'cli/usage.process, gateway/openapi',
  'client-package.process': 'client/data-converter, client/payments-client, gateway/starts.server',
  'dev/embedded-temporal/server.process':
    'dev/embedded-temporal/locate; every server test runs on that server',
};
