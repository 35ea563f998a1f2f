import { identifiersIn } from './postback-identifiers.js';
import { isSameIdentifier } from './service-ids.js';

const maxCandidates = 20;
/** A candidate that could not be read just then is read again so much later. */
const rereadMs = 15 * 60_000;
/** One that the service does not know yet is read again so often, each time after twice as long: for five days. */
const mostMisses = 9;
/** After a day of reads that fail, nothing waits for it any more. */
const mostFailures = 96;

/** Identifiers that postbacks name for an order whose own is not known: hints to follow, never proof. Plain JSON. */
export type Candidates = {
  readonly shown: readonly string[];
  /** Those of them that are still to be read. */
  readonly unread: readonly Candidate[];
};

/** One that is to be read, not before a time; how often the service did not know it, and how often it could not be read. */
export type Candidate = {
  readonly id: string;
  readonly notBefore: number;
  readonly misses: number;
  readonly failures: number;
};

/** Also after an operator has decided: what was named before is settled, and what is named after that is news. */
export const noCandidates: Candidates = { shown: [], unread: [] };

/** When the next one is to be read; Infinity when none is left. */
export function candidateDueAt({ unread }: Candidates): number {
  return Math.min(...unread.map(({ notBefore }) => notBefore));
}

/** The one that is due first; undefined when none is left. */
export function nextCandidate(candidates: Candidates): Candidate | undefined {
  const dueAt = candidateDueAt(candidates);
  return candidates.unread.find(({ notBefore }) => notBefore === dueAt);
}

/** The first one that sending and closing wait for: until two reads have not found it, or none has worked for a day. */
export function openCandidate({ unread }: Candidates): Candidate | undefined {
  return unread.find(({ failures, misses }) => misses < 2 && failures < mostFailures);
}

/** With those that a postback names. */
export function withNamed({ shown, unread }: Candidates, body: string): Candidates {
  const isNew = (id: string) => !shown.some((each) => isSameIdentifier(each, id));
  const named = identifiersIn(body)
    .filter(isNew)
    .slice(0, maxCandidates - shown.length);
  return {
    shown: [...shown, ...named],
    unread: [...unread, ...named.map((id) => ({ id, notBefore: 0, misses: 0, failures: 0 }))],
  };
}

/** What came of the read of one: what the service did not show is read again later. */
export function afterRead(
  { shown, unread }: Candidates,
  { id, failures, misses }: Candidate,
  kind: 'read' | 'unreadable' | 'not_found',
  { now, scale }: { now: number; scale: number },
): Candidates {
  const others = unread.filter((each) => each.id !== id);
  const withLater = (candidate: Candidate) => ({ shown, unread: [...others, candidate] });
  switch (kind) {
    case 'read':
      return { shown, unread: others };
    case 'unreadable':
      return withLater({ id, misses, failures: failures + 1, notBefore: now + rereadMs * scale });
    case 'not_found': {
      if (misses >= mostMisses) return { shown, unread: others };
      const notBefore = now + rereadMs * 2 ** misses * scale;
      return withLater({ id, failures, misses: misses + 1, notBefore });
    }
  }
}
