import { readFileSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import { variableNames } from './variables.js';
import type { VariableName } from './variables.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are set, each from itself or from the file that its `…_FILE` names; and what is wrong with them. */
export type Environment = {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
};

/** Up to so many wrong, missing or additional letters make a typo. */
const typoLetters = 2;
/** Shorter names than this may well be another program's. */
const ownNameLength = 10;

/** Temporal's own variables (`TEMPORAL_TLS_…`) are read here as well. */
const isRead = (name: string) =>
  name.startsWith('TEMPORAL_') || variableNames.some((one) => one === name || `${one}_FILE` === name);

/**
 * An empty variable counts as not set, as most tools that pass variables on have it. What a file with settings leaves around
 * a value, such as the CR of a line that ends in CRLF, is none of it.
 */
export function readEnvironment(env: Env): Environment {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [name, written = ''] of Object.entries(env)) {
    const value = isRead(name) ? written.trim() : written;
    if (isRead(name) && /^(["']).*\1$/s.test(value))
      faults.push(
        `${name} begins and ends with a quotation mark, which would be part of it. Write it without.`,
      );
    if (value !== '') values[name] = value;
  }
  for (const name of variableNames) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    if (values[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
    else {
      const content = contentOf(file);
      if (content === null)
        faults.push(`${name}_FILE names ${file}, which can't be read. Check its path and rights.`);
      else if (content === '') faults.push(`${name}_FILE names ${file}, which is empty.`);
      else values[name] = content;
    }
  }
  return { values, faults };
}

/** These beginnings are ours alone. */
const ownNames = /^(PAYMENTS|POSTBACK|PAYLOAD|NOTIFY|NEXUS|SCAN_BEFORE|POLL)_/;
/** Kubernetes sets these for a Service that is named like one of ours. */
const ofServices = /_(SERVICE|PORT)(_|$)/;

/** Variables that begin like ours, and that no process of this program reads: something was meant by them. */
export function unknownFaults(values: Environment['values']): string[] {
  const known = new Set(variableNames.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(values)
    .filter((name) => ownNames.test(name) && !ofServices.test(name) && !known.has(name))
    .map((name) => `${name} is set, but nothing reads it. Correct its name, or unset it.`);
}

/**
 * Variables that are set but read by nobody, and nearly named as one of ours that is not set: a default would hold
 * although another value was meant. Short names count only where ours is missing.
 */
export function typoFaults(
  values: Environment['values'],
  names: readonly VariableName[],
  isMissing: (name: VariableName) => boolean,
): string[] {
  const known = new Set(variableNames.flatMap((name) => [name, `${name}_FILE`]));
  const unknown = Object.keys(values).filter((name) => !known.has(name));
  return names
    .filter((name) => values[name] === undefined && (name.length >= ownNameLength || isMissing(name)))
    .flatMap((name) => [name, `${name}_FILE`])
    .flatMap((name) =>
      unknown
        .filter((other) => isTypoOf(name, other))
        .map((other) => `${other} is set, but nothing reads it. If ${name} is meant, rename it.`),
    );
}

function isTypoOf(name: string, written: string): boolean {
  const letters = (text: string) => text.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return distance(letters(name), letters(written)) <= typoLetters;
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
