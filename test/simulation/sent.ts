import type { Tracked } from '../../src/dev/sandbox/tracked.js';

/** A request of a creating call that left for the service, and what it did there. */
export type Sent = {
  readonly code: string;
  /** When the lifecycle made the call. */
  readonly scheduledAt: number;
  /** Whether the same call was made before, and surely did nothing. */
  readonly isAgain: boolean;
  /** When its first byte left. */
  readonly at: number;
  /** The record that it created or changed; undefined as long as it had no effect. */
  record: Tracked | undefined;
  effectAt: number;
  /** The service refused it, and did it all the same. */
  deceived?: true;
};
