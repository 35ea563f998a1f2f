import { attentions, type Attention } from './attention.js';
import type { FailureCause } from './payout-attempts.js';
import type { Refused } from './refused.js';

/** Why an operator is needed: for each attention what happened, in words. */
export type Needs = Readonly<Partial<Record<Attention, readonly string[]>>>;

/** What follows from all that is known of a payment. Nothing else decides its status or asks for an operator. */
export type Conclusions = {
  readonly status: string;
  /** Why it failed, of a payout. */
  readonly cause?: FailureCause | null;
  readonly needs: Needs;
  readonly statements?: Statements;
};

/** What is proven of the money, and what speaks against a plain retry, by the attention that says so. */
export type Statements = Readonly<Partial<Record<Attention, string>>>;

/** What is proven of the money, and what speaks against a retry that holds nothing but who decided it and why. */
export function withObjection(statement: string, objection: Refused | undefined): string {
  return objection === undefined ? statement : `${statement} ${objection.message}`;
}

/** The needs of those reasons that there are. */
export function needsOf(reasons: readonly (readonly [Attention, string | null | false])[]): Needs {
  const needs: Partial<Record<Attention, string[]>> = {};
  for (const [attention, reason] of reasons) {
    if (reason === null || reason === false) continue;
    const given = (needs[attention] ??= []);
    if (!given.includes(reason)) given.push(reason);
  }
  return needs;
}

/** The needs that nobody has acknowledged. */
export function unacknowledged(needs: Needs, acknowledged: Needs): Needs {
  return needsOf(reasonsOf(needs).filter(([attention, reason]) => !has(acknowledged, attention, reason)));
}

/** Their reasons hold what went wrong last: acknowledged once, as long as they last. */
const lasting: readonly Attention[] = ['not_sent', 'unreadable'];

/** What was acknowledged and still holds: what goes away and comes back is news. */
export function stillAcknowledged(acknowledged: Needs, needs: Needs): Needs {
  const held = reasonsOf(needs).filter(
    ([attention, reason]) =>
      has(acknowledged, attention, reason) || (lasting.includes(attention) && acknowledged[attention]),
  );
  return needsOf(held);
}

/**
 * What needs an operator now. What did not fit is still to be seen when it fits again, before anything is sent: of many
 * such the latest.
 */
export function stillToSee(before: Needs, now: Needs): Needs {
  const { inconsistent_answer: unseen } = before;
  if (unseen === undefined) return now;
  const held = now.inconsistent_answer ?? [];
  const gone = unseen.filter((reason) => !held.includes(reason)).slice(-mostUnseen);
  return { ...now, inconsistent_answer: [...gone, ...held] };
}

const mostUnseen = 5;

/** Both. */
export function joined(one: Needs, other: Needs): Needs {
  return needsOf([...reasonsOf(one), ...reasonsOf(other)]);
}

/** All but those of one attention. */
export function without(needs: Needs, attention: Attention): Needs {
  return needsOf(reasonsOf(needs).filter(([each]) => each !== attention));
}

/** Each reason, the gravest first. */
export function reasonsOf(needs: Needs): [Attention, string][] {
  return attentions.flatMap((attention) =>
    (needs[attention] ?? []).map((reason): [Attention, string] => [attention, reason]),
  );
}

function has(needs: Needs, attention: Attention, reason: string): boolean {
  return needs[attention]?.includes(reason) === true;
}
