/** Words as a query of Temporal's visibility takes them in a list. */
export function listOf(words: readonly string[]): string {
  return words.map(quoted).join(', ');
}

/** A word as a query of Temporal's visibility takes it. */
export function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
