const clearLine = '\r\u001b[2K';

/** Shows what is going on while everything starts: one line that changes on a terminal, a line each elsewhere. */
export function startingProgress(): { tell: (message: string) => void; end: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { tell: (message) => void stderr.write(`… ${message}\n`), end: () => undefined };
  return {
    tell: (message) => void stderr.write(`${clearLine}… ${message.slice(0, (stderr.columns ?? 80) - 3)}`),
    end: () => void stderr.write(clearLine),
  };
}
