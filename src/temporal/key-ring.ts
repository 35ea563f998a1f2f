const KEY_BYTES = 32;
const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([A-Za-z0-9+/_-]+={0,2})$/;

/** A secret of 32 bytes and the public name it goes by. */
export type NamedKey = { readonly id: string; readonly bytes: Buffer };

/** Keys in use: the first makes new things, every one of them opens old things. */
export type KeyRing = { readonly current: NamedKey; readonly byId: ReadonlyMap<string, NamedKey> };

/** A list of keys that can't be used. Its message names entries by position or id, never by their content. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/**
 * Reads a list of `id:base64` (32 bytes each), separated by commas or white space.
 *
 * @throws KeyRingError naming everything that is wrong with it.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const byId = new Map<string, NamedKey>();
  const faults: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const key = parseEntry(entry);
    if (key === null)
      faults.push(`entry ${String(index + 1)} is not id:base64 of ${String(KEY_BYTES)} bytes`);
    else if (byId.has(key.id)) faults.push(`the id "${key.id}" appears twice`);
    else if (holdsKey(byId.values(), key)) faults.push(`the key "${key.id}" is the same as another`);
    else byId.set(key.id, key);
  }
  if (faults.length > 0) throw new KeyRingError(faults.join('; '));
  const [current] = byId.values();
  if (current === undefined) throw new KeyRingError('it holds no key');
  return { current, byId };
}

/** Whether one of them has the same bytes, whatever it is called. */
export function holdsKey(keys: Iterable<NamedKey>, { bytes }: NamedKey): boolean {
  return [...keys].some((other) => other.bytes.equals(bytes));
}

function parseEntry(entry: string): NamedKey | null {
  const [, id, base64] = ENTRY.exec(entry) ?? [];
  if (id === undefined || base64 === undefined) return null;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === KEY_BYTES ? { id, bytes } : null;
}
