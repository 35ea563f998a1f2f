import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** How busy the machine is, and which share of its processors others took, in words. Call the result at the end. */
export function watchMachine() {
  const before = processorTime();
  return () => {
    const after = processorTime();
    const load = `load ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`;
    if (before === undefined || after === undefined) return load;
    const total = Math.max(1, after.total - before.total);
    return `${load}, ${((100 * (after.stolen - before.stolen)) / total).toFixed(0)} % of their time stolen`;
  };
}

/** Of all cores since the machine was started, by /proc/stat, which Linux alone has. */
function processorTime() {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0] = line
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return { stolen, total: user + nice + system + idle + wait + irq + softIrq + stolen };
  } catch {
    return undefined;
  }
}
