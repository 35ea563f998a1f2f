// Reports to the parent process for how long, in processor time, one turn of this process's event loop lasted: others work
// on this machine.
import process from 'node:process';
import { setImmediate } from 'node:timers';

let longest = 0;
let last = used();

/** Measures from now on. */
export function watchTurns() {
  setImmediate(function turn() {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(turn);
  });
}

/** The longest turn since the last report. */
export function takeLongest() {
  const ms = longest;
  longest = 0;
  return ms;
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
