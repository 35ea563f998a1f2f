import type { ThreeDSecureToken } from '../../src/contract/messages.js';
import type { OrderReading, PayoutReading, SendOnceInput } from '../../src/contract/outcomes.js';
import type { FieldProblem } from '../../src/contract/problems.js';
import type { Called, Read } from '../../src/domain/called.js';
import { Refused } from '../../src/domain/refused.js';
import type { CreationOutcome, SubmissionState, Submitted } from '../../src/domain/submission.js';
import type { AnyTakes, Takes } from './commands.js';
import type { Calling } from './engine.js';
import type { Run } from './run.js';

/** What is not known in a run that came about by a reset. */
export const unknownAfterReset =
  'This run of the workflow is a reset: the run before it may have sent the request.';

/** What ended a wait: its time came, or a command or a cancel request was executed or refused. */
export type Woke = 'due' | 'command';

/**
 * What a stage waits for.
 *
 * @property until when to go on: milliseconds since the epoch, or Infinity; asked again whenever a hint comes in
 * @property awaiting what operators read of it
 * @property onTurn is called when its turn to send has come; absent when it does not wait for one
 * @property takes what it does with each command that its lifecycle's table has for it
 */
export type Waiting<Name extends keyof AnyTakes> = {
  readonly until: () => number;
  readonly awaiting: string;
  readonly onTurn?: (() => void) | undefined;
} & ([Name] extends [never] ? { readonly takes?: undefined } : { readonly takes: Takes<Name> });

/** As a context gets it, whatever the stage. */
export type AnyWaiting = {
  readonly until: () => number;
  readonly awaiting: string;
  readonly onTurn?: (() => void) | undefined;
  readonly takes?: AnyTakes | undefined;
};

/** The result of a search of our own payments. @throws Refused when it failed */
export function searched<Result>(called: Called<Result>): Result {
  if (called.kind === 'completed') return called.result;
  const what = 'Our own payments could not be searched just now. Nothing was changed.';
  throw new Refused('CouldNotRead', what);
}

/** Of a call that is retried until it works. */
export function resultOf<Result>(called: Called<Result>): Result {
  if (called.kind === 'completed') return called.result;
  throw new Error(`A call did not end: ${called.kind === 'failed' ? called.message : called.how}.`);
}

/** A payout to read by its identifier, and what for, for operators. */
export type ReadTarget = { readonly serviceId: string; readonly doing: string };
/** What came of it. */
export type PayoutRead = { readonly read: Read<PayoutReading> };

/** Records of the service's list; undefined when no complete scan could be made. */
export type Scan = readonly PayoutReading[] | undefined;

/** What a scan looks for: partner_codes, all attempts of a payout, or identifiers. */
export type ScanTarget = {
  partner_codes?: string[];
  attempts_of?: string;
  service_ids?: string[];
  /** An operator waits for it: it is over by the deadline of the command. */
  for_command?: boolean;
  /** When the complete scan began (milliseconds since the epoch) of which this one shows what came since. */
  since?: number;
};

/** The creating calls; those with a card run on the gateway that holds it. */
export type CreatingCalls = Calling<
  | 'createPixPayout'
  | 'createTransferPayout'
  | 'createCheckout'
  | 'createThreeDSecureOrder'
  | 'requestRefund'
  | 'validateAccount'
>;
export type CardCalls = Calling<'createCardOrder' | 'completeThreeDSecureOrder'>;

/** Makes one of these calls, with what each of them gets beside its request. */
export type CreatingCall<Calls> = (calls: Calls, once: SendOnceInput) => Promise<Called<CreationOutcome>>;

/**
 * The only way of a lifecycle to wait, to call, to take commands, to publish and to continue as new. `loop.ts` implements
 * it, over Temporal or over an engine of the tests.
 */
export interface PaymentContext {
  readonly run: Run;
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Waits until the time has come, or a command or a cancel request was executed. Commands go first: one that came in
   * meanwhile is executed even when the time has come. Publishes what is awaited. The only place where a workflow
   * takes commands and continues as new; it does so only when it really has to wait.
   *
   * @param stage the one that waits, as the table of its lifecycle has it
   */
  wait<Name extends keyof AnyTakes>(stage: readonly Name[], waiting: Waiting<Name>): Promise<Woke>;
  /**
   * Makes a creating call once and returns what may follow. Sends nothing while the payment waits for its turn, and never
   * sends again by itself.
   */
  send(state: SubmissionState, doing: string, call: CreatingCall<CreatingCalls>): Promise<Submitted>;
  /** As {@link send}, on the gateway that holds the card. */
  sendWithCard(
    state: SubmissionState,
    taskQueue: string,
    doing: string,
    call: CreatingCall<CardCalls>,
  ): Promise<Submitted>;
  /** `GET /v1/payout/{id}`, once. */
  readPayout(serviceId: string, doing: string): Promise<Read<PayoutReading>>;
  /** As {@link readPayout} for each of several at once: somebody may wait for what comes of all of them. */
  readPayouts<Of extends ReadTarget>(of: readonly Of[]): Promise<(Of & PayoutRead)[]>;
  /** `GET /v1/order/{id}`, once. */
  readOrder(serviceId: string): Promise<Read<OrderReading>>;
  /** `GET /v1/3ds/token`; undefined when the service gave none. */
  readThreeDSecureToken(): Promise<ThreeDSecureToken | undefined>;
  /** A complete scan of `GET /v1/payouts`, or undefined. */
  scanPayouts(target: ScanTarget, doing: string): Promise<Scan>;
  /** The workflow id of another payment that has this identifier of the service; null when none has. */
  ownerOf(serviceId: string): Promise<string | null>;
  /** Makes the order with this partner_code read now: a read of its refund has shown this status. */
  hintOrder(partnerCode: string, status: string): Promise<void>;
  /**
   * Claims an identifier of the service for this payment; returns the workflow id of the payment that has it.
   *
   * @param searchableFrom from when on search shows who had it before: ISO 8601
   * @throws Refused when it could not be claimed
   */
  claim(serviceId: string, searchableFrom: string): Promise<string>;
  /** What is wrong with the input of a card order. */
  checkInput(input: unknown): Promise<FieldProblem[]>;
  /** Whether this run came about by a reset. Asks an activity each time, since a reset replays earlier answers. */
  wasReset(): Promise<boolean>;
  /** Goes on in a fresh run with the present snapshot, once the handlers under way have ended. */
  continueAsNew(): Promise<void>;
}

/** Why a read did not work, in words for operators. */
export function whyUnread(read: Exclude<Read<unknown>, { kind: 'read' }>, what: 'order' | 'payout'): string {
  return read.kind === 'not_found' ? `The service knows no ${what} by its identifier.` : read.reason;
}
