/** A text of JSON, or a whole number outside of one that JSON.parse may round. Its time is linear. */
const textOrLongNumber = /"[^"\\]*(?:\\[^][^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON as JSON.parse does, but for whole numbers of 16 digits and more: they become their text, because an
 * identifier has to keep its digits.
 *
 * @throws SyntaxError when it is no JSON
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return parsed;
  return JSON.parse(
    text.replaceAll(textOrLongNumber, (found) => (found.startsWith('"') ? found : `"${found}"`)),
  );
}
