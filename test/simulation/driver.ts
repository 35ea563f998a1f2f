import type { SimulatedService } from './simulated-service.js';

/** Where a lifecycle stands still: it waits, its handlers end, it has made calls at once, or it continues as new. */
export type Halt =
  | {
      kind: 'wait' | 'handlers_end';
      at: number;
      wakes: () => boolean;
      awaiting: string;
      go: (value: undefined) => void;
    }
  | {
      kind: 'calls';
      calls: {
        doing: string;
        start: (done: (called: unknown) => void) => void;
        go: (called: unknown) => void;
      }[];
    }
  | { kind: 'continue_as_new' };

/** What an engine needs of the simulation that drives it. */
export type Driver = {
  readonly service: SimulatedService;
  now(): number;
  random(): number;
  /** The lifecycle stands still here, until it may go on. */
  halt(halt: Halt): void;
  /** Whether a wait that is about to begin continues as new. */
  suggestsContinueAsNew(): boolean;
  isResetRun(): boolean;
  /** Whether the payment takes nothing more. */
  isClosed(): boolean;
};

/** A lifecycle goes on from here with what its driver hands over. */
export function halted<Value>(driver: Driver, halt: (go: (value: Value) => void) => Halt): Promise<Value> {
  return new Promise((resolve) => {
    driver.halt(halt(resolve));
  });
}
