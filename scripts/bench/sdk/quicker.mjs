// What the SDK would do with the patches of docs/performance.md, for measurements alone: `--import` it into a process,
// with SDK_PATCHES naming what is patched: stacks, timeout or both. It is not part of the product.
import v8 from 'node:v8';
import vm from 'node:vm';
import shared from '@temporalio/worker/lib/workflow/vm-shared.js';
import { cutoffStackTrace } from '@temporalio/common';

const patches = {
  /** The stack of a promise is taken when the promise is made, and put into words when somebody asks for it. */
  stacks: () => {
    const { globalHandlers } = shared;
    globalHandlers.setPromiseHook = setPromiseHook;
  },
  /** Nothing interrupts a workflow that never ends its turn. */
  timeout: () => {
    const { runInContext } = vm.Script.prototype;
    vm.Script.prototype.runInContext = function (context, options) {
      return runInContext.call(this, context, { ...options, timeout: undefined });
    };
  },
};

for (const name of (process.env.SDK_PATCHES ?? '').split(',').filter(Boolean)) patches[name]();

/** Of each context: what tells its activator, and its Error. To compile them takes longer than to call them. */
const accessors = new WeakMap();

function accessorsOf(promise) {
  const compile = promise.constructor.constructor;
  const known = accessors.get(compile);
  if (known !== undefined) return known;
  const made = {
    activator: compile('return globalThis.__TEMPORAL_ACTIVATOR__'),
    errorClass: compile('return globalThis.Error'),
  };
  accessors.set(compile, made);
  return made;
}

/** The words of a stack, once they are asked for. */
class Stack {
  #words;

  constructor(callsites, toWords) {
    this.#words = () => {
      const words = toWords(callsites);
      this.#words = () => words;
      return words;
    };
  }

  get formatted() {
    return this.#words().formatted;
  }

  get structured() {
    return this.#words().structured;
  }
}

const hooks = ['init', 'initAll'];
const aggregates = /^(Function|Promise)\.(race|all|allSettled|any) \(<anonymous>\)$/;

function setPromiseHook() {
  const toText = Error.prepareStackTrace;
  let isTaking = false;
  Error.prepareStackTrace = (error, callsites) => (isTaking ? callsites : toText(error, callsites));
  const toWords = (callsites) => {
    const [, ...lines] = toText.call(Error, {}, callsites).split('\n');
    const formatted = cutoffStackTrace(lines.join('\n'));
    return { formatted, structured: this.currentStackTrace.slice(0, formatted.split('\n').length) };
  };
  let aggregate;
  this.stopPromiseHook = v8.promiseHooks.createHook({
    init: (made, parent) => {
      const { activator: activatorOf, errorClass } = accessorsOf(made);
      const activator = activatorOf();
      if (!activator) return;
      const store = activator.promiseStackStore;
      made.runId = activator.info.runId;
      isTaking = true;
      const callsites = new (errorClass())().stack;
      isTaking = false;
      if (!Array.isArray(callsites)) return;
      // This hook itself, and what Node calls it from.
      const own = callsites.findLastIndex((each, at) => at < 4 && hooks.includes(each.getFunctionName())) + 1;
      const frames = callsites.slice(own);
      const [first, second] = frames.map((each, at) => (at < 2 ? String(each) : ''));
      let promise = made;
      let stack = new Stack(frames, toWords);
      if (aggregate && first === 'Promise.then (<anonymous>)' && aggregates.test(second ?? '')) {
        promise = aggregate;
        stack = store.promiseToStack.get(aggregate);
      } else aggregate = aggregates.test(first ?? '') ? made : undefined;
      if (promise === parent) return;
      store.promiseToStack.set(promise, stack);
      const parents = store.childToParent.get(promise) ?? new Set();
      if (parent) parents.add(parent);
      store.childToParent.set(promise, parents);
    },
    settled: (promise) => {
      const store = accessorsOf(promise).activator()?.promiseStackStore;
      if (!store) return;
      store.childToParent.delete(promise);
      store.promiseToStack.delete(promise);
    },
  });
  this.promiseHookInstalled = true;
}
