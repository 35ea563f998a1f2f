import { createHash, timingSafeEqual } from 'node:crypto';

/** What a key may do: `oms` starts, reads and retries payments; `operator` decides about them, and decodes payloads; so does `codec`. */
export type Scope = 'oms' | 'operator' | 'codec';

export type ApiKey = { readonly name: string; readonly key: string; readonly scopes: readonly Scope[] };

/** Who sends a request. */
export type Caller = { readonly name: string; readonly scopes: readonly Scope[] };

/** Tells callers by their keys; keeps hashes only. */
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
