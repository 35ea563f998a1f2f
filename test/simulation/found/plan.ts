import type { Plan, SimulatedKind } from '../plan.js';

/** A plan in which everything goes well, but for what is given. */
export function plan(kind: SimulatedKind, given: Partial<Plan>): Plan {
  return {
    kind,
    seed: 0,
    watchDays: null,
    reconciled: false,
    validated: false,
    sendBefore: null,
    scanAlways: false,
    calls: [],
    lives: [],
    listing: 'at_once',
    shape: { showsCode: false, netValue: false, otherListId: false },
    outages: [],
    flakyOneIn: 0,
    continuesOneIn: 0,
    happenings: [],
    ...given,
  };
}

/** The service shows the amount without its fee. */
export const net = { showsCode: false, netValue: true, otherListId: false };
