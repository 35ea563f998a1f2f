const clearLine = '\r\u001b[2K';

/** Shows what is going on while everything starts: one line that changes on a terminal, a line each elsewhere. */
export function startingProgress(): { report: (message: string) => void; end: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY)
    return { report: (message) => void stderr.write(`… ${message}\n`), end: () => undefined };
  return {
    // A terminal that does not know its width has 0 columns.
    report: (message) => void stderr.write(`${clearLine}… ${message.slice(0, (stderr.columns || 80) - 3)}`),
    end: () => void stderr.write(clearLine),
  };
}
