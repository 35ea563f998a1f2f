import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { GatewayApp } from '../app.js';
import type { GatewayLimits } from '../deps.js';
import { overloaded } from './http-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however late the event loop is: an overloaded gateway is alive, and can be measured. */
    whenOverloaded?: true;
  }
}

const resolutionMs = 10;
const sampleMs = 1_000;
const nanosecondsAMs = 1e6;

/**
 * Answers 503 while the event loop is later than its limit, on average over the last second. Asks nothing of the operating
 * system: what does, such as the size of the memory, throws in its timer where no more files may be opened.
 */
export function shedLoad(app: GatewayApp, { eventLoopDelayMs: most }: GatewayLimits): void {
  if (most === 0) return;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let isLate = false;
  delay.enable();
  const timer = setInterval(() => {
    isLate = delay.mean / nanosecondsAMs - resolutionMs > most;
    delay.reset();
  }, sampleMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    delay.disable();
    done();
  });
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    done(isLate && routeOptions.config.whenOverloaded !== true ? overloaded() : undefined);
  });
}
