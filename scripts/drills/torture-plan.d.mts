import type { Sandbox } from '../../src/dev/sandbox/server.js';
import type { EndpointName } from '../../src/dev/sandbox/endpoints.js';
import type { FaultInput } from '../../src/dev/sandbox/fault.js';
import type { CallFault, Plan, SimulatedKind } from '../../test/simulation/plan.js';

export type FaultOf = Record<CallFault, FaultInput | string>;

export const lifecycles: Record<
  Exclude<SimulatedKind, 'account_validation'>,
  { readonly endpoint: EndpointName; readonly id: string }
>;
export const faults: FaultOf;
export function armCalls(sandbox: Sandbox, plan: Plan, code: string, faultOf?: FaultOf): void;
export function tagsOf(plan: Plan): string[];
