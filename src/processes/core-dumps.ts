import { writeFileSync } from 'node:fs';

/**
 * Leaves the memory out of core dumps of this process, also out of those that a debugger takes: it may hold cards. On
 * Linux; elsewhere, and where `/proc` is read-only, only the limit of core dumps helps.
 */
export function leaveMemoryOutOfCoreDumps(): void {
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Not every system has it.
  }
}
