import type { AnyTakes } from '../../workflows/shared/commands.js';
import type { SimulatedService } from './simulated-service.js';

/** Where a lifecycle stands still: it waits, it has made a call, or it continues as new. */
export type Halt =
  | { kind: 'wait'; until: () => number; awaiting: string; takes: AnyTakes; go: (value: unknown) => void }
  | {
      kind: 'call';
      doing: string;
      start: (done: (result: unknown) => void) => void;
      go: (value: unknown) => void;
    }
  | { kind: 'continue_as_new' };

/** What a context needs of the simulation that drives it. */
export type Driver = {
  readonly service: SimulatedService;
  readonly scale: number;
  now(): number;
  random(): number;
  /** The lifecycle stands still here, until it may go on. */
  halt(halt: Halt): void;
  /** Whether a wait that is about to begin continues as new. */
  suggestsContinueAsNew(): boolean;
  isResetRun(): boolean;
};

/** A lifecycle goes on from here with what its driver hands over. */
export function halted<Value>(driver: Driver, halt: (go: (value: unknown) => void) => Halt): Promise<Value> {
  return new Promise((resolve) => {
    // What a halt goes on with is what its own call has answered.
    driver.halt(halt(resolve as (value: unknown) => void));
  });
}
