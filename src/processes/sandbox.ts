import { startSandbox } from '../sandbox/server.js';
import type { SandboxOptions } from '../sandbox/server.js';
import type { Running } from './running.js';

/** The process of `durable-payments sandbox`: the payments service, played from its document. */
export async function startSandboxProcess(options: SandboxOptions): Promise<Running & { url: string }> {
  const sandbox = await startSandbox(options);
  return { url: sandbox.url, failed: new Promise(() => undefined), stop: () => sandbox.close() };
}
