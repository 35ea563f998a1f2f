import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Output } from '../../src/audit/output.js';

/** A reader by whom a pipe has room for so many more bytes. */
function aReader(room = Infinity) {
  const reader = { room, read: '' };
  const output = new Output((bytes) => {
    if (reader.room === 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
    const taken = bytes.subarray(0, reader.room);
    reader.room -= taken.length;
    reader.read += Buffer.from(taken).toString('latin1');
    return taken.length;
  });
  return { reader, output };
}

const line = (name: string, bytes = 100) => `${name.padEnd(bytes - 1, '.')}\n`;
const megabyte = 1_024 * 1_024;
const droppedLines = (text: string) => text.split('\n').filter((each) => each.includes('"dropped"'));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the output of a process', () => {
  test('is written at once while it is read, so that a crash loses none', () => {
    const { reader, output } = aReader();
    output.log.write('one\n');
    output.audit.write('two\n');
    expect(reader.read).toBe('one\ntwo\n');
    expect(output.state).toEqual({ unread: 0, dropped: 0, stuckMs: 0 });
  });

  test('waits in memory while nobody reads it, and comes whole and in order when somebody does', () => {
    const { reader, output } = aReader(6);
    output.log.write('first\n');
    output.log.write('secönd\n');
    output.audit.write('third\n');
    vi.advanceTimersByTime(7_000);
    expect(output.state).toEqual({ unread: 2, dropped: 0, stuckMs: 7_000 });
    reader.room = 4;
    vi.advanceTimersByTime(1_000);
    reader.room = Infinity;
    vi.advanceTimersByTime(1_000);
    expect(Buffer.from(reader.read, 'latin1').toString()).toBe('first\nsecönd\nthird\n');
    expect(output.state).toEqual({ unread: 0, dropped: 0, stuckMs: 0 });
  });

  test('is bounded: a reader who is back learns once how many lines were dropped', () => {
    const { reader, output } = aReader(0);
    for (let count = 0; count < 3; count += 1) output.log.write(line(`log ${String(count)}`, megabyte));
    expect(output.state).toMatchObject({ unread: 3, dropped: 1 });
    reader.room = Infinity;
    vi.advanceTimersByTime(1_000);
    expect(droppedLines(reader.read).map((each) => JSON.parse(each) as unknown)).toMatchObject([
      { level: 'error', dropped: 1, dropped_audit: 0 },
    ]);
    expect(output.state).toMatchObject({ unread: 0, dropped: 0 });
    output.log.write('later\n');
    expect(reader.read.endsWith('later\n')).toBe(true);
    expect(droppedLines(reader.read)).toHaveLength(1);
  });

  test('keeps lines of the audit stream when there is no room for the log any more', () => {
    const { reader, output } = aReader(0);
    for (let count = 0; count < 100; count += 1) output.log.write(line('log', megabyte / 10));
    for (let count = 0; count < 8; count += 1) output.audit.write(line(`audit ${String(count)}`, megabyte));
    reader.room = Infinity;
    vi.advanceTimersByTime(1_000);
    const kept = [...reader.read.matchAll(/^audit \d/gm)].map(([name]) => name);
    expect(kept).toEqual(['audit 0', 'audit 1', 'audit 2', 'audit 3', 'audit 4', 'audit 5']);
    expect(droppedLines(reader.read)[0]).toMatch(/"dropped":\d+,"dropped_audit":2,/);
  });

  test('goes on when its disk is full or its reader is gone, and is written when that is put right', () => {
    let broken = true;
    let read = '';
    const output = new Output((bytes) => {
      if (broken) throw Object.assign(new Error('broken'), { code: 'EPIPE' });
      read += Buffer.from(bytes).toString();
      return bytes.length;
    });
    output.audit.write('kept\n');
    broken = false;
    vi.advanceTimersByTime(1_000);
    expect(read).toBe('kept\n');
  });
});

describe('the last lines of a process', () => {
  test('are written as far as they are read', () => {
    const { reader, output } = aReader(0);
    output.audit.write('last\n');
    reader.room = Infinity;
    output.writeLast();
    expect(reader.read).toBe('last\n');
  });

  test('keep it for a moment and not for longer when nobody reads them', () => {
    vi.useRealTimers();
    const { reader, output } = aReader(0);
    output.audit.write('last\n');
    output.writeLast();
    expect(reader.read).toBe('');
  });
});
