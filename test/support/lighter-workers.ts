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
 * The SDK keeps a stack for each promise of a workflow, which queries for stacks show, and no test asks for: another tenth.
 * Node's own hooks have a `before`.
 */
promiseHooks.createHook = (hooks) => (hooks.before === undefined ? () => undefined : createHook(hooks));
