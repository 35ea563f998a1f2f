import type { WorkflowHandle } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { vi } from 'vitest';
import { asRecord } from '../../src/domain/records.js';
import { refusalOf } from './refusal.js';
import { waiting } from './waiting.js';

/** The clock of a stack, whose time passes when a test lets it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
  /** Lets time pass for the workflows alone. */
  sleep(duration: Duration): Promise<void>;
  /** Lets time pass for the sandbox as well. */
  pass(duration: Duration): Promise<void>;
};

/** A payment that a test has started, with its messages, on a clock that skips. */
export type Payment<State> = {
  readonly workflowId: string;
  state(): Promise<State>;
  /** Its state once so much time has passed, for the service as well. */
  after(duration: Duration): Promise<State>;
  /** Sends an Update; refusals reject, see `refusal`. */
  command<Answer = State>(name: string, message?: object): Promise<Answer>;
  /** Sends an Update; why it is refused, undefined when it is not. */
  refusal(name: string, message?: object): Promise<string | undefined>;
  signal(name: string, message?: object): Promise<void>;
  /** What the gateway sends when the service posts back: a text, or an object as JSON. */
  postback(body?: unknown): Promise<void>;
  cancel(): Promise<void>;
  /** Lets time pass until the state is as wanted; fails after `limit` steps. */
  until(holds: (state: State) => boolean, step?: Duration, limit?: number): Promise<State>;
  /** Lets time pass until the workflow has ended. */
  result(step?: Duration, limit?: number): Promise<State>;
};

export const statusIs = (status: string) => (state: { readonly status: string }) => state.status === status;

export const attentionIs = (attention: string | null) => (state: { readonly attention: string | null }) =>
  state.attention === attention;

/** Whether the timeline holds these words. */
export const timelineShows =
  (words: string) =>
  (state: { readonly timeline: readonly { readonly what: string }[] }): boolean =>
    state.timeline.some(({ what }) => what.includes(words));

/** How a payment is reached: by Temporal, or in this process. */
type Reached<State> = {
  readonly workflowId: string;
  readonly clock: Clock;
  readonly state: () => Promise<State>;
  ended(): Promise<boolean>;
  /** Once it has ended. */
  readonly outcome: () => Promise<State>;
  command<Answer>(name: string, message: object): Promise<Answer>;
  signal(name: string, message?: object): Promise<void>;
  cancel(): Promise<void>;
};

/** A payment on a server. */
export function paymentOn<State>(handle: WorkflowHandle, clock: Clock): Payment<State> {
  return followed<State>({
    ...{ workflowId: handle.workflowId, clock },
    state: () => handle.query<State>('state'),
    ended: async () => (await handle.describe()).status.name !== 'RUNNING',
    outcome: async () => (await handle.result()) as State,
    command: (name, message) => handle.executeUpdate(name, { args: [message] }),
    signal: (name, message) =>
      message === undefined ? handle.signal(name) : handle.signal<[object]>(name, message),
    cancel: async () => {
      await handle.cancel();
    },
  });
}

const operator = { by: 'ana', reason: 'a test' };
const decisions: readonly string[] = [
  ...['retryPayout', 'abandonPayout', 'resolveSubmission', 'retryRefund', 'resolveRefund'],
  'acknowledgeAttention',
];

/** A payment with what tests wait for, whichever way it is reached. */
export function followed<State>(reached: Reached<State>): Payment<State> {
  const { clock, state } = reached;
  /** What every decision of an operator has to name. */
  const decidedBy = async (name: string) => {
    if (!decisions.includes(name)) return {};
    if (name !== 'acknowledgeAttention') return operator;
    return { ...operator, attention: asRecord(await state()).attention };
  };
  const command = async <Answer>(name: string, message: object = {}) =>
    reached.command<Answer>(name, { ...(await decidedBy(name)), ...message });
  return {
    ...reached,
    signal: (name, message) =>
      reached.signal(name, name === 'retryPayout' ? { ...operator, ...message } : message),
    command,
    refusal: (...sent) => command(...sent).then(() => undefined, refusalOf),
    after: async (duration) => {
      await clock.pass(duration);
      return state();
    },
    postback: (body = '') =>
      reached.signal('postbackReceived', {
        received_at: new Date().toISOString(),
        content_type: typeof body === 'string' ? null : 'application/json',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    until: async (holds, step = '1 minute', limit = 400) => {
      for (let i = 0; i < limit; i += 1) {
        const shown = await state();
        if (holds(shown)) return shown;
        await clock.pass(step);
      }
      throw new Error(`The payment never came to be so: ${JSON.stringify(await state(), null, 1)}`);
    },
    result: async (step = '1 day', limit = 800) => {
      for (let i = 0; i < limit; i += 1) {
        if (await reached.ended()) return reached.outcome();
        await clock.pass(step);
      }
      throw new Error(`The payment never ended: ${JSON.stringify(await state(), null, 1)}`);
    },
  };
}

/** Lets time pass until what was asked is answered. */
export async function meanwhile<Answer>(
  clock: Clock,
  asked: Promise<Answer>,
  step: Duration = '5 seconds',
): Promise<Answer> {
  let isAnswered = false;
  const ended = () => {
    isAnswered = true;
  };
  asked.then(ended, ended);
  const passTime = async () => {
    await clock.sleep(step);
    return isAnswered;
  };
  await vi.waitUntil(passTime, { ...waiting, interval: 1 });
  return asked;
}
