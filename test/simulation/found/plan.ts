import type { Happening, OperatorAction, Plan, SimulatedKind } from '../plan.js';

/** A plan in which everything goes well, but for what is given. */
export function plan(kind: SimulatedKind, given: Partial<Plan>): Plan {
  return {
    ...{ kind, seed: 0, watchDays: null, reconciled: false, validated: false, sendBefore: null },
    ...{ scanAlways: false, calls: [], lives: [], listing: 'at_once', outages: [], happenings: [] },
    shape: { showsCode: false, netValue: false, otherListId: false },
    ...{ flakyOneIn: 0, continuesOneIn: 0, ...given },
  };
}

/** The service shows the amount without its fee. */
export const net = { showsCode: false, netValue: true, otherListId: false };

/** A status of a record, after so long by its place among the delays of plans. */
export const becomes = (status: string, delay: number) => ({ after: delay, status });

type Done = OperatorAction | 'hint' | Exclude<Happening['what'], { do: OperatorAction | 'hint' }>;

const happens = (when: Happening['when'], done: Done): Happening => ({
  when,
  what: typeof done === 'string' ? { do: done } : done,
});
export const after = (delay: number, done: Done) => happens({ after: delay }, done);
export const asked = (delay: number, done: Done) => happens({ asked: delay }, done);
export const step = (count: number, done: Done) => happens({ step: count }, done);

export const reset = (to: number): Done => ({ do: 'reset', to });
export const resetWithoutMessages = (to: number): Done => ({ do: 'reset', to, dropsMessages: true });
export const shows = (status: string): Done => ({ do: 'status', status });
export const postback = (names: 'it' | 'another' | 'nothing'): Done => ({ do: 'postback', names });
