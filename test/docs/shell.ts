/** The commands of a shell block, each in its words; quotes are taken away, lines that go on are joined. */
export function commandsOf(code: string): string[][] {
  const commands: string[][] = [[]];
  const pattern = /\\\n|\n|[^\S\n]+|(?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^)]*\)|\\[^\n]|[^\s'"\\])+/g;
  for (const [token] of code.matchAll(pattern)) {
    if (token === '\n') commands.push([]);
    else if (token.trim() !== '' && token !== '\\\n') commands.at(-1)?.push(unquoted(token));
  }
  return commands.filter((words) => words.length > 0);
}

function unquoted(word: string): string {
  if (word.includes('$(')) return word;
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
    (_, single?: string, double?: string) => single ?? double ?? '',
  );
}

/** The value that follows an option, each time it stands there. */
export function optionValues(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
}
