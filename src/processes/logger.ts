import { pino } from 'pino';
import type { Logger } from 'pino';
import { lineFile } from '../audit/line-file.js';
import { standardOutput } from '../audit/output.js';

export type { Logger };

const longestMessage = 300;
/** More of a message is not looked at: it may be as long as what it speaks of. */
const longestRead = 2_000;

/**
 * The log of a process: JSON, a line an entry, to standard output or appended to a file. What is an error in it is
 * reduced to what can't hold anything of a payment.
 */
export function createLogger(process: string, level: string, file?: string): Logger {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, req: hidden, res: hidden },
    },
    file === undefined ? standardOutput().log : lineFile(file),
  );
}

/** Writes what is for people to standard output, which they need not read: `console.log` would keep the process then. */
export function print(text: string): void {
  standardOutput().log.write(`${text}\n`);
}

/** How many lines of the log and the audit stream of this process nobody has read. */
export function unreadLines(): number {
  return standardOutput().state.unread;
}

/**
 * Where and of which kind an error is. Parsers quote what they could not read and clients what they were to send, so
 * quoted texts and digits go, and of the stack only its frames stay.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '', cause } = error;
  return {
    name,
    message: plain(message),
    at: stack.split('\n').filter((line) => line.startsWith('    at ')),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

function plain(message: string): string {
  return message
    .slice(0, longestRead)
    .replaceAll(/(["'`]).*?\1/gs, '"…"')
    .replaceAll(/[{["'`][\s\S]*/g, '…')
    .replaceAll(/\d{5,}/g, '…')
    .replaceAll(/\S+/g, (word) => (word.includes('@') ? '…' : word))
    .slice(0, longestMessage);
}

function hidden(): undefined {
  return undefined;
}
