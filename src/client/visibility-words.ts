/** Words as a query of Temporal's visibility takes them in a list. */
export function listOf(words: readonly string[]): string {
  return words.map(quoted).join(', ');
}

/** A word as a query of Temporal's visibility takes it. */
export function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}

/** Temporal's search does not find a word with one of these, however it is quoted. */
export function isSearchable(word: string): boolean {
  return !/["'\\]/.test(word);
}
