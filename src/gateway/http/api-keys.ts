import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What a key may do: `oms` starts payments, and sees and commands those that its own name started; `operator` sees all
 * and decides about them; `codec` decodes payloads.
 */
export type Scope = 'oms' | 'operator' | 'codec';

export type ApiKey = { readonly name: string; readonly key: string; readonly scopes: readonly Scope[] };

/** Who sends a request. */
export type Caller = { readonly name: string; readonly scopes: readonly Scope[] };

/** Identifies callers by their keys; keeps hashes only. */
export class ApiKeys {
  readonly #known: readonly { hash: Buffer; caller: Caller }[];

  constructor(keys: readonly ApiKey[]) {
    this.#known = keys.map(({ name, key, scopes }) => ({ hash: sha256(key), caller: { name, scopes } }));
  }

  /** The caller of an Authorization header; undefined when no key matches. Takes as long for any wrong key. */
  callerOf(authorization: string | undefined): Caller | undefined {
    const [, token] = /^Bearer +(\S{1,512})$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return undefined;
    const hash = sha256(token);
    let found: Caller | undefined;
    for (const known of this.#known) if (timingSafeEqual(known.hash, hash)) found = known.caller;
    return found;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
