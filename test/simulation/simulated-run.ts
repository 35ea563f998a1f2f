import type { CommandName } from '../../src/domain/stage-table.js';
import type { Run } from '../../workflows/shared/run.js';
import type { Life } from '../support/lives.js';
import type { Plan } from './plan.js';
import type { Halt } from './driver.js';
import type { SimulatedService } from './simulated-service.js';
import type { Event, VirtualClock } from './virtual-clock.js';
import type { WatchedLoop } from './watched-loop.js';

/** What comes to a workflow from outside. */
export type Message =
  /** A Signal is executed as an Update is; only nobody waits for its answer. */
  | { kind: 'command'; name: CommandName; message: object }
  | { kind: 'cancel' }
  | { kind: 'hint' }
  | { kind: 'shared' }
  | { kind: 'postback'; body: string };

/** What a run of the workflow has recorded: what it went on with, and what came in. A reset replays it. */
export type Recorded = { at: number } & ({ went: readonly unknown[] } | { came: Message });

/** What a run hands on to the next one. */
export type HandedOn = {
  startedAt: number;
  afterReset: boolean;
  originalRunId: string;
  fromRunId: string;
  snapshot: string;
};

/** One run of the workflow. Only the latest one lives; what an older one still does has no effect. */
export type SimulatedRun = {
  readonly facts: Run;
  readonly originalRunId: string;
  readonly isReset: boolean;
  readonly begunAt: number;
  readonly handedOn: HandedOn | undefined;
  readonly living: Life;
  readonly loop: WatchedLoop;
  readonly recorded: Recorded[];
  /** After how many of these a new run was suggested. */
  readonly suggested: Set<number>;
  /** Commands that it has taken, and that nobody was answered yet. */
  unanswered: number;
  /** Where the lifecycle stands still; undefined while it goes on, and when it has ended. */
  halt: Halt | undefined;
  startedCall: Halt | undefined;
  answer: { value: readonly unknown[] } | undefined;
  wakesAt: number;
  wake: Event | undefined;
  ended: boolean;
  failed?: { error: unknown };
  settled: () => void;
};

/** A simulation, as what happens to it and what checks it may see it. */
export type Simulated = {
  readonly plan: Plan;
  readonly clock: VirtualClock;
  readonly service: SimulatedService;
  readonly run: SimulatedRun;
  readonly steps: number;
  /** When something last came from outside, or changed at the service. */
  readonly disturbedAt: number;
  /** A message reaches the workflow; messages to a closed one have no effect. */
  deliver(message: Message): void;
  /** The payment of a run as a fresh run would build it from what this one hands on. */
  again(run: SimulatedRun): Life;
  /** An operator resets the workflow to a step of its present run, or Temporal is restored from a backup. */
  setBack(how: SetBack): void;
};

/** How a workflow comes to be as it was before. */
export type SetBack = {
  by: 'reset' | 'restore';
  /** A share of all that the present run has recorded. */
  to: number;
  /** Whether what came in since does not come in again. */
  dropsMessages?: boolean;
};
