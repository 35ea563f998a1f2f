import type {
  BulkActivities,
  CardStoreActivities,
  OwnPaymentsActivities,
  PaymentActivities,
  ReadingActivities,
  ScanningActivities,
} from '../../activities/index.js';
import type { StatusHint } from '../../src/contract/messages.js';
import type { Called } from '../../src/domain/called.js';

/** The activities that a lifecycle calls. */
type Activities = PaymentActivities &
  ReadingActivities &
  CardStoreActivities &
  Pick<ScanningActivities, 'findPayouts'> &
  Pick<OwnPaymentsActivities, 'claimIdentifier' | 'findOwner'> &
  Pick<BulkActivities, 'readTimeout'>;

export type CallName = keyof Activities;
export type InputOf<Name extends CallName> = Parameters<Activities[Name]>[0];
export type ResultOf<Name extends CallName> = Awaited<ReturnType<Activities[Name]>>;

/** A function for each of these calls. */
export type Calling<Names extends CallName = CallName> = {
  readonly [Name in Names]: (input: InputOf<Name>) => Promise<Called<ResultOf<Name>>>;
};

/**
 * @property summary what operators see of the call
 * @property taskQueue the gateway's that holds the card; without, the usual one of the call
 * @property withinMs how long it may take, where somebody waits for it; without, as long as the call usually may
 */
export type How = { readonly summary: string; readonly taskQueue?: string; readonly withinMs?: number };

/** What the loop of a lifecycle runs on: it knows how to wait and to call, the loop what that means. */
export interface Engine {
  /** Resolves at that time (milliseconds since the epoch, or Infinity), when `wakes` holds, or when a new run is needed. */
  sleepUntil(at: number, wakes: () => boolean, summary: string): Promise<void>;
  /**
   * As `sleepUntil`, and also resolves when the turn to send has come: then with true. Within a run a payment keeps its place
   * in the queue from one wait to the next.
   */
  sleepUntilTurn(at: number, wakes: () => boolean, summary: string): Promise<boolean>;
  /** Makes a call once. */
  call<Name extends CallName>(name: Name, input: InputOf<Name>, how: How): Promise<Called<ResultOf<Name>>>;
  /** Makes another payment read now; does nothing when that is closed or does not exist. */
  hint(workflowId: string, hint: StatusHint): Promise<void>;
  /** Shows the present state. @param isPassing it is read again within seconds */
  publish(isPassing: boolean): void;
  /** Whether to go on in a new run. */
  needsNewRun(): boolean;
  /** Resolves when nobody waits for an answer of this run any more, or when `wakes` holds. */
  settled(wakes: () => boolean): Promise<void>;
  /** Goes on in a new run with this snapshot. Never resolves. */
  newRun(snapshot: object): Promise<never>;
  /** Sees to it that the notifications are delivered which still wait at the end. */
  handOver(): Promise<void>;
}
