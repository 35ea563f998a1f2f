import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** What nobody has read yet. Lines of the log end where much of the room is left for those of the audit stream. */
const auditBytes = 8 * 1_024 * 1_024;
const logBytes = 2 * 1_024 * 1_024;
/** Lines that wait are joined up to this. */
const joinedChars = 16 * 1_024;
const retryMs = 50;
/** For the last lines when the process ends. */
const lastLinesMs = 1_000;

/** Takes some of these bytes and answers how many; throws when it takes none now. Never blocks. */
export type TakeBytes = (bytes: Uint8Array) => number;

/** How far its reader is behind. */
export type OutputState = {
  /** Lines that nobody has read: they wait, or were dropped and no line has told of it yet. */
  readonly unread: number;
  /** Lines that were dropped, and of which no line has told yet. */
  readonly dropped: number;
  /** How long something has waited without any of it being read; 0 when nothing waits. */
  readonly stuckMs: number;
};

/**
 * Lines for a reader who may stop reading. They are written at once as long as he reads, so that a crash loses none; else
 * they wait in memory, up to a bound. How many were dropped is told in a line when he is back.
 */
export class Output {
  /** Where the lines of the log go. */
  readonly log: DestinationStream = { write: (line) => this.#add(line, logBytes) };
  /** Where the lines of the audit stream go: kept longer. */
  readonly audit: DestinationStream = {
    write: (line) => {
      if (!this.#add(line, auditBytes)) this.#droppedAudit += 1;
    },
  };

  #current: Uint8Array = new Uint8Array();
  /** How many lines `#current` was when nothing of it had been taken. */
  #currentLines = 0;
  readonly #waiting: { text: string; lines: number }[] = [];
  #waitingLines = 0;
  #waitingBytes = 0;
  #readAt = 0;
  #dropped = 0;
  #droppedAudit = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly take: TakeBytes) {}

  get state(): OutputState {
    const stuckMs = this.#waitingBytes === 0 ? 0 : performance.now() - this.#readAt;
    return { unread: this.#waitingLines + this.#dropped, dropped: this.#dropped, stuckMs };
  }

  /** Writes what waits while it is read, and no longer than for a second. Blocks: for the end of the process. */
  writeLast(): void {
    const until = performance.now() + lastLinesMs;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (this.#writeWaiting() === 'full' && performance.now() < until) Atomics.wait(pause, 0, 0, 5);
  }

  /** Answers false when the line was dropped. */
  #add(line: string, mostBytes: number): boolean {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > mostBytes) {
      this.#dropped += 1;
      return false;
    }
    if (this.#waitingBytes === 0) this.#readAt = performance.now();
    this.#enqueue(line, bytes);
    if (this.#retry === undefined) this.#write();
    return true;
  }

  #enqueue(line: string, bytes: number): void {
    const last = this.#waiting.at(-1);
    if (last === undefined || last.text.length > joinedChars) this.#waiting.push({ text: line, lines: 1 });
    else {
      last.text += line;
      last.lines += 1;
    }
    this.#waitingLines += 1;
    this.#waitingBytes += bytes;
  }

  #write(): void {
    this.#retry = undefined;
    if (this.#writeWaiting() === 'done') return;
    this.#retry = setTimeout(() => this.#write(), retryMs).unref();
  }

  #writeWaiting(): 'done' | 'full' | 'broken' {
    try {
      while (this.#hasMore()) {
        const taken = this.take(this.#current);
        if (taken === 0) return 'full';
        this.#current = this.#current.subarray(taken);
        this.#waitingBytes -= taken;
        this.#readAt = performance.now();
      }
      return 'done';
    } catch (error) {
      // Whatever else is wrong, such as a full disk or a reader that is gone, may be put right.
      return isFull(error) ? 'full' : 'broken';
    }
  }

  #hasMore(): boolean {
    if (this.#current.length > 0) return true;
    this.#waitingLines -= this.#currentLines;
    if (this.#waiting.length === 0) this.#tellDropped();
    const { text, lines } = this.#waiting.shift() ?? { text: '', lines: 0 };
    this.#current = Buffer.from(text);
    this.#currentLines = lines;
    return this.#current.length > 0;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const line = JSON.stringify({
      ...{ level: 'error', time: new Date().toISOString() },
      ...{ dropped: this.#dropped, dropped_audit: this.#droppedAudit },
      msg: 'nobody read the standard output of this process: lines were dropped',
    });
    this.#dropped = 0;
    this.#droppedAudit = 0;
    this.#enqueue(`${line}\n`, Buffer.byteLength(line) + 1);
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

let shared: Output | undefined;

/** The standard output of this process. Its last lines are written when the process ends, however it does. */
export function standardOutput(): Output {
  if (shared !== undefined) return shared;
  const output = new Output(takeByStandardOutput);
  process.once('exit', () => output.writeLast());
  shared = output;
  return output;
}

/**
 * Not by the stream that Node has for it, nor by one that writes in another thread: with either, a process whose output
 * nobody reads does not end. But to ask for that stream makes a pipe non-blocking, and what was printed by it comes first.
 */
function takeByStandardOutput(bytes: Uint8Array): number {
  return process.stdout.writableLength > 0 ? 0 : writeSync(1, bytes);
}
