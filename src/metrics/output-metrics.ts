import { Gauge, type Registry } from 'prom-client';
import { prefix } from './registry.js';

/** Counts the lines that nobody has read of the log and the audit stream of this process. */
export function outputMetrics(registry: Registry, unreadLines: () => number): void {
  new Gauge({
    name: `${prefix}output_unread`,
    help: 'Lines of the log and the audit stream of this process that nobody has read: they wait, or were dropped.',
    registers: [registry],
    collect() {
      this.set(unreadLines());
    },
  });
}
