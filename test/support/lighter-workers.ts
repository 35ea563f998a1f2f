import { Script, type Context, type RunningScriptOptions } from 'node:vm';
import { promiseHooks } from 'node:v8';

const bounded = Object.getOwnPropertyDescriptors(Script.prototype).runInContext;
const { createHook } = promiseHooks;

/**
 * The SDK bounds each call into a workflow, for which Node starts a thread each time: a sixth of all that a worker does.
 * A test has its own bound.
 */
Script.prototype.runInContext = function (context: Context, options?: RunningScriptOptions): unknown {
  return bounded.value?.call(this, context, { ...options, timeout: undefined });
};

/**
 * The SDK keeps a stack for each promise of a workflow. It asks each promise of the process whether it is one: a tenth of
 * what a worker does in the thread of the tests. Those of this realm are none. Node's own hooks, which have a `before`, see
 * all of them.
 */
promiseHooks.createHook = (hooks) => {
  const { before, init, settled } = hooks;
  if (before !== undefined) return createHook(hooks);
  return createHook({
    init: (promise, parent) => {
      if (!(promise instanceof Promise)) init?.(promise, parent);
    },
    settled: (promise) => {
      if (!(promise instanceof Promise)) settled?.(promise);
    },
  });
};
