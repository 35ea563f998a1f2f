import { CancellationScope } from '@temporalio/workflow';
import type { PaymentState } from '../../src/contract/state.js';
import type { AnyTakes } from './commands.js';
import type { PaymentContext, Waiting } from './context.js';
import { Clock } from './clock.js';
import { registerHandlers } from './handlers.js';
import type { Payment } from './payment.js';
import type { Run } from './run.js';
import { Loop } from './loop.js';
import { TemporalEngine } from './temporal-engine.js';
import { temporalRun, type Continued } from './temporal-run.js';

/** What a stage does: it waits once, and does what is due or commanded. */
export type Step<P> = (ctx: PaymentContext, payment: P) => Promise<unknown>;

/** The stages that a lifecycle has steps for: at the last one it ends. */
export type OpenStage<Stage extends string> = Exclude<Stage, 'closed'>;

/** The life of a payment: one step of the stage that it is in, until it is closed. Statuses can regress. */
export function lifecycle<
  Open extends string,
  P extends Payment & { readonly stage: Open | 'closed'; rejectInput(problems: string): void },
>(steps: Readonly<Record<Open, Step<P>>>): (ctx: PaymentContext, payment: P) => Promise<void> {
  return async (ctx, payment) => {
    if (payment.start.problem !== undefined) payment.rejectInput(payment.start.problem);
    for (let { stage } = payment; stage !== 'closed'; { stage } = payment) await steps[stage](ctx, payment);
  };
}

/**
 * A workflow that lives the life of one payment. Handlers are registered before the first await: a message that came with
 * the start finds its handler only then.
 *
 * @param register handlers of its own
 */
export function paymentWorkflow<Input, Snapshot, State extends PaymentState, P extends Payment<State>>(
  PaymentOf: new (input: Input, run: Run, snapshot?: Snapshot) => P,
  live: (ctx: PaymentContext, payment: P) => Promise<void>,
  register: (ctx: PaymentContext, payment: P) => void = () => undefined,
): (input: Input, snapshot?: Continued<Snapshot>) => Promise<State> {
  return async (input, snapshot) => {
    const clock = new Clock();
    const payment = new PaymentOf(input, temporalRun(snapshot?.run, clock), snapshot);
    const engine = new TemporalEngine<State>(payment, clock, input);
    const loop = new Loop<State>(payment, engine);
    registerHandlers(loop, clock, payment);
    register(loop, payment);
    CancellationScope.current().cancelRequested.catch(() => {
      loop.requestCancel();
    });
    return CancellationScope.nonCancellable(() => loop.live(() => live(loop, payment)));
  };
}

/** Waits in a stage, and takes its step when that is due. */
export async function whenDue<P, Name extends keyof AnyTakes>(
  ctx: PaymentContext,
  payment: P,
  stage: readonly Name[],
  waiting: Waiting<Name>,
  step: Step<P>,
): Promise<void> {
  if ((await ctx.wait(stage, waiting)) === 'due') await step(ctx, payment);
}
