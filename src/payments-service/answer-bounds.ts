/** A page of 200 payouts has some thousands of elements, and its answer a depth below ten. */
export const maxElements = 16_000;
export const maxDepth = 500;
/** Twice what is asked for. */
export const maxRecordsOfAPage = 400;

/**
 * Whether JSON has more elements, or is deeper, than is taken: bytes alone do not bound what it costs to read it. Brackets
 * and commas within texts count as well, and so do the tags of a page.
 */
export function hasTooManyElements(text: string): boolean {
  let elements = 0;
  let depth = 0;
  for (const [character] of text.matchAll(/[[\]{},<]/g)) {
    if (character === '{' || character === '[') {
      depth += 1;
      elements += 1;
    } else if (character === ',' || character === '<') elements += 1;
    else if (character === '}' || character === ']') depth = Math.max(0, depth - 1);
    if (elements > maxElements || depth > maxDepth) return true;
  }
  return false;
}
