import type { Fault, Reshape } from './fault.js';

/** The status an operation starts with, and those it takes by itself: milliseconds since it began, new status. */
export type Life = { readonly first: string; readonly then: readonly (readonly [number, string])[] };
export type RefundFate = { readonly afterMs: number; readonly status?: string; readonly visible?: true };
export type PostbackStyle = 'normal' | 'late' | 'silent' | 'duplicated' | 'reordered' | 'early' | 'lying';
export type Listing = 'at once' | 'late' | 'never';

/** One row of the table: what a tag changes, for which kinds of request, and its description. */
export type Scenario = {
  readonly means: string;
  readonly order?: Life;
  readonly payout?: Life;
  readonly validation?: Life;
  readonly refund?: RefundFate;
  readonly postbacks?: PostbackStyle;
  readonly listing?: Listing;
  readonly paysByItself?: true;
  /** Retries of ours (partner codes ending in `-r` and digits) go well. */
  readonly firstAttemptOnly?: true;
  readonly fault?: Fault;
  /** The fault comes on every call, not once per partner_code. */
  readonly lasting?: true;
};

export function life(first: string, ...then: (readonly [number, string])[]): Life {
  return { first, then };
}

export function done(means: string, fault: Omit<Fault, 'effect'>): Scenario {
  return { means, fault: { effect: 'done', ...fault } };
}

export function none(means: string, fault: Omit<Fault, 'effect'>): Scenario {
  return { means, fault: { effect: 'none', ...fault } };
}

export function refused(status: number): Scenario {
  return none(`${String(status)}; nothing is done.`, { status });
}

export function afterwards(status: number): Scenario {
  return done(`${String(status)}, after the work.`, {
    status,
    body: { error: { code: 'sandbox', message: 'After the work.' } },
  });
}

export function always(means: string, fault: Omit<Fault, 'effect'>): Scenario {
  return { ...done(means, fault), lasting: true };
}

export function shaped(means: string, reshape: Reshape): Scenario {
  return always(means, { reshape: [reshape] });
}
