import { byTest, planted } from './bug.mjs';

const loop = 'workflows/shared/loop.ts';
const byLoopTest = byTest('workflows/loop');

/** The loop that lives every lifecycle, and what it makes of its calls. */
export const bugsOfTheLoop = [
  planted('payout', 10_000, loop, {
    'a new run drops a command that waits': [
      'if (this.queue.empty) await this.engine.newRun(',
      'await this.engine.newRun(',
    ],
  }),
  planted('payout', byLoopTest, loop, {
    'a stage that is due goes before a command that came first': [
      'const queued = this.queue.take();\n      if (queued !== undefined) {\n        await execute(',
      'const queued = this.now() >= until() ? undefined : this.queue.take();\n      if (queued !== undefined) {\n        await execute(',
    ],
    'a cancel request is forgotten': ['this.#cancelRequested = true;', 'this.#cancelRequested = false;'],
    'a hint does not end a wait': ['() => until() < at || this.#hasWork', '() => this.#hasWork'],
    'a timer for a moment that has moved ends a wait': [
      'await this.engine.sleepUntil(at, wakes, awaiting);\n',
      "{\n        await this.engine.sleepUntil(at, wakes, awaiting);\n        if (!this.#hasWork) return 'due';\n      }\n",
    ],
  }),
  planted('payout', byLoopTest, 'workflows/shared/execute.ts', {
    'a command is not checked again when it is executed': [
      '    throwIfRefused(payment.refusalOf(command));\n',
      '',
    ],
  }),
  planted('payout', 100, loop, {
    'a stage that is due does not let the loop go on': ["        return 'due';\n", '        continue;\n'],
  }),
  planted('payout', 3_000, 'src/domain/submission.ts', {
    'a call without an answer counts as one that was not sent': [
      "  const reason = 'The worker that made the call gave no answer.';\n",
      "  const reason = 'The worker that made the call gave no answer.';\n  if (called.kind === 'timed_out') return afterOutcome({ outcome: 'not_sent', reason }, state, now, scale);\n",
    ],
  }),
];
