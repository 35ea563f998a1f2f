/** A page of 200 payouts has some thousands of elements. */
export const maxElements = 50_000;
/** Five times what is asked for. */
export const maxRecordsOfAPage = 1_000;

const opening = ['{', '[', ','].map((character) => character.charCodeAt(0));

/** Whether JSON has more elements than are taken, however deep: bytes alone do not bound what it costs to read them. */
export function hasTooManyElements(text: string): boolean {
  let elements = 0;
  for (let at = 0; at < text.length && elements <= maxElements; at += 1)
    if (opening.includes(text.charCodeAt(at))) elements += 1;
  return elements > maxElements;
}
