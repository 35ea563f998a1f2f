import type {
  AbandonPayout,
  AcknowledgeAttention,
  CompleteThreeDSecure,
  PostbackReceived,
  ProvideCard,
  ResolveRefund,
  ResolveSubmission,
  RetryPayout,
  RetryRefund,
  ThreeDSecureToken,
} from '../../src/contract/messages.js';
import type { CardReference } from '../../src/contract/card.js';
import type {
  CreationOutcome,
  DetailedCreationOutcome,
  OrderReading,
  PayoutReading,
  SendOnceInput,
} from '../../src/contract/outcomes.js';
import type { FieldProblem } from '../../src/contract/problems.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { PaymentRecord } from './payment-record.js';
import type { ReadSchedule } from './read-schedule.js';
import type { Refused } from './refused.js';
import type { SubmissionState, Submitted } from './submission.js';

/** The commands that operators and order-management services send, by their names as Updates. */
export type CommandMessages = {
  acknowledgeAttention: AcknowledgeAttention;
  /** `boundTo` is the attempt that was the latest when the command came in. */
  retryPayout: RetryPayout & { boundTo?: number };
  abandonPayout: AbandonPayout;
  resolveSubmission: ResolveSubmission;
  provideCard: ProvideCard;
  completeThreeDSecure: CompleteThreeDSecure;
  retryRefund: RetryRefund;
  resolveRefund: ResolveRefund;
};

export type CommandName = keyof CommandMessages;

export type Command = { [Name in CommandName]: { name: Name; message: CommandMessages[Name] } }[CommandName];

/** The commands that a stage takes while it waits. Each may throw a {@link Refused}; then nothing was changed. */
export type Takes = {
  [Name in CommandName]?: (message: CommandMessages[Name]) => Promise<void> | void;
} & {
  /** What a cancel request does; without it the request is noted and changes nothing. */
  cancel?: () => Promise<void> | void;
};

/** What ended a wait: its time came, or a command or a cancel request was executed or refused. */
export type Woke = 'due' | 'command';

/** What a read of the service came to. */
export type Read<Reading> =
  { kind: 'read'; reading: Reading } | { kind: 'not_found' } | { kind: 'unreadable'; reason: string };

/** Records of the service's list; undefined when no complete scan could be made. */
export type Scan = readonly PayoutReading[] | undefined;

/** What a scan looks for: partner_codes, all attempts of a payout, or identifiers. */
export type ScanTarget = { partner_codes?: string[]; attempts_of?: string; service_ids?: string[] };

/** The creating calls, each on the worker or, with a card, on the gateway that holds it. */
export type CreatingCalls = {
  createPixPayout(input: PayoutCall): Promise<CreationOutcome>;
  createTransferPayout(input: PayoutCall): Promise<CreationOutcome>;
  createCheckout(input: SendOnceInput & { order: unknown }): Promise<DetailedCreationOutcome>;
  createThreeDSecureOrder(input: SendOnceInput & { order: unknown }): Promise<DetailedCreationOutcome>;
  requestRefund(input: SendOnceInput & { service_id: string }): Promise<DetailedCreationOutcome>;
  validateAccount(input: SendOnceInput & { validation: unknown }): Promise<DetailedCreationOutcome>;
};

export type PayoutCall = SendOnceInput & {
  payout: unknown;
  corrections: Record<string, unknown> | null;
  attempt: number;
  decided_at: string;
  scanned_at: string | null;
};

export type CardCalls = {
  createCardOrder(input: SendOnceInput & { order: unknown; card: CardReference }): Promise<CreationOutcome>;
  completeThreeDSecureOrder(
    input: SendOnceInput & { service_id: string; callback: string; eci: string; card: CardReference },
  ): Promise<DetailedCreationOutcome>;
};

/** Facts of the run that rules may use. The same in every replay. */
export type Run = {
  readonly workflowId: string;
  /** Of this very run: a reset has another one, so whatever carries it is not taken for the same. */
  readonly runId: string;
  /** When the payment began, in its first run: milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether a run before this one came about by a reset: attempts may exist of which this run knows nothing. */
  readonly afterReset: boolean;
  /** Whether it was the very run before this one. */
  readonly justReset: boolean;
  /** Who started the payment through a gateway: the name of an API key. Null for a bare SDK. */
  readonly owner: string | null;
  now(): number;
  /** In [0, 1), for jitter. */
  random(): number;
  /** What in the way this workflow was started would break "one payment under one id"; undefined when nothing does. */
  readonly start: {
    attempt: number;
    hasRetryPolicy: boolean;
    hasCronSchedule: boolean;
    hasTimeout: boolean;
  };
};

/** What a lifecycle gives its context: the payment's record, its read schedule, and its rules for commands. */
export type Payment = {
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  /** Of a payout: the number of its latest attempt. */
  readonly attemptNumber?: number;
  view(): PaymentState;
  /** Why the current stage does not take this command; undefined when it does. */
  refusalOf(command: Command): Refused | undefined;
  /** Ties a command to the state in which it came in. */
  bind?(command: Command): Command;
  onPostback?(postback: PostbackReceived): void;
};

/**
 * The only way of a lifecycle to wait, to call, to take commands, to publish and to continue as new. Temporal
 * implements it in `temporal-context.ts`; a simulation implements it without Temporal.
 */
export interface PaymentContext {
  readonly run: Run;
  now(): number;
  /**
   * Waits until the time has come, or a command or a cancel request was executed. Commands go first: one that came in
   * meanwhile is executed even when the time has come. Publishes what is awaited. The only place where a workflow
   * takes commands and continues as new; it does so only when it really has to wait.
   *
   * @param until when to go on: milliseconds since the epoch, or Infinity; asked again whenever a hint comes in
   */
  wait(until: () => number, awaiting: string, takes?: Takes): Promise<Woke>;
  /** Makes a creating call once and answers what may follow. Never sends again by itself. */
  send(
    state: SubmissionState,
    doing: string,
    call: (calls: CreatingCalls, once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Submitted>;
  /** As {@link send}, on the gateway that holds the card. */
  sendWithCard(
    state: SubmissionState,
    taskQueue: string,
    doing: string,
    call: (calls: CardCalls, once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Submitted>;
  /** `GET /v1/payout/{id}`, once. */
  readPayout(serviceId: string, doing: string): Promise<Read<PayoutReading>>;
  /** `GET /v1/order/{id}`, once. */
  readOrder(serviceId: string): Promise<Read<OrderReading>>;
  /** `GET /v1/3ds/token`; undefined when the service gave none. */
  readThreeDSecureToken(): Promise<ThreeDSecureToken | undefined>;
  /** A complete scan of `GET /v1/payouts`, or undefined. */
  scanPayouts(target: ScanTarget, doing: string): Promise<Scan>;
  /** The workflow id of another payment that has this identifier of the service; null when none has. */
  ownerOf(serviceId: string): Promise<string | null>;
  /** What is wrong with the workflow's own input. */
  checkInput(workflowType: 'cardOrder' | 'refund', input: unknown): Promise<FieldProblem[]>;
  /** Whether this run came about by a reset. Asks an activity each time, since a reset replays earlier answers. */
  wasReset(): Promise<boolean>;
  /** Goes on in a fresh run with the present snapshot, once the handlers under way have ended. */
  continueAsNew(): Promise<void>;
}
