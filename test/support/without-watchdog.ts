import { Script, type Context, type RunningScriptOptions } from 'node:vm';

const bounded = Object.getOwnPropertyDescriptors(Script.prototype).runInContext;

/**
 * The SDK bounds each call into a workflow, for which Node starts a thread each time: a sixth of all that a worker does.
 * A test has its own bound.
 */
Script.prototype.runInContext = function (context: Context, options?: RunningScriptOptions): unknown {
  return bounded.value?.call(this, context, { ...options, timeout: undefined });
};
