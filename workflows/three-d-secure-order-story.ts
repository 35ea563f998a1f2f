import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type {
  CompleteThreeDSecure,
  PostbackReceived,
  ProvideCard,
  ResolveSubmission,
} from '../src/contract/messages.js';
import type { ThreeDSecureOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { spans } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import { creating } from './shared/activities.js';
import { refusal } from './shared/inbox.js';
import type { Story } from './shared/lifecycle.js';
import { OrderCore, type OrderCoreCarry } from './shared/order-core.js';
import { Sending, type SendingCarry } from './shared/sending.js';
import { Completion, type CompletionCarry } from './three-d-secure-completion.js';
import type { threeDSecureOrder } from './three-d-secure-order.js';

export type ThreeDSecureCommand =
  | (CompleteThreeDSecure & { kind: 'complete' })
  | (ProvideCard & { kind: 'provide_card' })
  | (ResolveSubmission & { kind: 'resolve' });

/** What a 3D Secure order hands over at a continue-as-new. */
export type ThreeDSecureCarry = {
  core: OrderCoreCarry;
  sending: SendingCarry;
  completion: CompletionCarry;
  answer: Record<string, unknown> | null;
};

const beginning = { cover: 'awaiting_authentication', expiresAfterMs: spans.authenticationMs };

/** The facts of one 3D Secure order and what is done about them, step by step. */
export class ThreeDSecureStory implements Story<ThreeDSecureCommand, OrderState> {
  readonly core: OrderCore;
  readonly completion: Completion;
  readonly #sending: Sending;
  #answer: Record<string, unknown> | null;

  constructor(
    private readonly input: ThreeDSecureOrderInput,
    carried?: ThreeDSecureCarry,
  ) {
    this.core = new OrderCore('three_d_secure_order', input, beginning, carried?.core);
    this.#sending = new Sending(this.core.record, this.core.opening.scale, carried?.sending);
    this.completion = new Completion(this.core, carried?.completion);
    this.#answer = carried?.answer ?? null;
  }

  view(): OrderState {
    const { until } = this.completion;
    const authentication =
      until === null && this.#answer === null
        ? null
        : { until: until === null ? null : new Date(until).toISOString(), answer: this.#answer };
    return { ...this.core.view(), kind: 'three_d_secure_order', authentication };
  }

  ended(): boolean {
    return this.core.ended();
  }

  dueAt(): number {
    if (this.core.phase === 'unsent') return this.#sending.at;
    const sendAt = this.completion.way.stage === 'to_send' ? this.completion.way.dueAt : Infinity;
    return Math.min(sendAt, this.core.dueAt());
  }

  awaiting(): string {
    if (this.core.phase === 'unsent') return 'the time to send it again';
    if (this.core.record.status === 'awaiting_authentication') return 'the customer to authenticate';
    if (this.completion.way.stage === 'awaited') return 'a card; without one the order expires';
    return this.core.awaiting();
  }

  async step(): Promise<void> {
    const { core, completion } = this;
    if (core.opening.problem !== undefined) return core.rejectInput(core.opening.problem);
    if (core.phase === 'unsent') return this.#send();
    const { way } = completion;
    if (way.stage === 'to_send' && Date.now() >= way.dueAt) return completion.send();
    await core.step();
    this.#noteBeginning();
    if (core.follow.hasMoved || core.record.status === 'expired') completion.settle();
  }

  untried(): boolean {
    return (this.core.phase === 'unsent' && this.#sending.untried) || this.completion.way.untried;
  }

  wantsFreshRun(): boolean {
    return this.completion.wantsFreshRun;
  }

  cancel(): boolean {
    return this.core.cancel();
  }

  onPostback(postback: PostbackReceived): void {
    this.core.onPostback(postback);
  }

  continueAsNew(): Promise<never> {
    const carry: ThreeDSecureCarry = {
      core: this.core.carry(),
      sending: this.#sending.carry(),
      completion: this.completion.carry(),
      answer: this.#answer,
    };
    return continueAsNew<typeof threeDSecureOrder>(this.input, carry);
  }

  refuseUnlessUnknown(): void {
    if (this.core.phase === 'unknown' || this.completion.stage === 'unknown') return;
    throw refusal('NotUnknown', `This order is ${this.core.record.status}: nothing of it is in doubt.`);
  }

  async obey(command: ThreeDSecureCommand): Promise<void> {
    switch (command.kind) {
      case 'complete':
        return this.completion.take(command);
      case 'provide_card':
        this.completion.way.provide(command);
        return;
      case 'resolve':
        this.refuseUnlessUnknown();
        if (this.core.phase !== 'unknown') {
          this.completion.resolve(command);
          return;
        }
        await this.core.resolve(command);
        this.#noteBeginning();
    }
  }

  async #send(): Promise<void> {
    const { core } = this;
    if (Date.now() >= workflowInfo().startTime.getTime() + spans.authenticationMs * core.opening.scale) {
      return core.endUnsent('It could not be sent before its time was over. Nothing was sent.');
    }
    const open = creating(`open a 3D Secure order of ${formatAmount(core.record.valueCentavos)}`);
    const sent = await this.#sending.once((once) =>
      open.createThreeDSecureOrder({ ...once, order: this.input }),
    );
    if (sent === undefined) return;
    if (sent.kind === 'answered') this.#answer = sent.answer;
    core.conclude(sent);
    this.#noteBeginning();
  }

  /** The time for the completion runs from when the order is known to the service. */
  #noteBeginning(): void {
    if (this.core.phase !== 'known' || this.completion.until !== null) return;
    this.completion.begin(Date.now() + spans.authenticationMs * this.core.opening.scale);
  }
}
