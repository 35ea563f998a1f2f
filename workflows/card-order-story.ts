import { continueAsNew } from '@temporalio/workflow';
import type { PostbackReceived, ProvideCard, ResolveSubmission } from '../src/contract/messages.js';
import type { CardOrderInput } from '../src/contract/order.js';
import type { OrderState } from '../src/contract/state.js';
import { spans } from '../src/domain/cadence.js';
import { formatAmount } from '../src/domain/money.js';
import type { cardOrder } from './card-order.js';
import { checking } from './shared/activities.js';
import { CardWay, type CardWayCarry } from './shared/card-way.js';
import type { Story } from './shared/lifecycle.js';
import { OrderCore, type OrderCoreCarry } from './shared/order-core.js';
import { problemsText } from './shared/submission.js';

export type CardOrderCommand =
  (ProvideCard & { kind: 'provide_card' }) | (ResolveSubmission & { kind: 'resolve' });

/** What a card order hands over at a continue-as-new. */
export type CardOrderCarry = { core: OrderCoreCarry; way: CardWayCarry };

/** The facts of one card order and what is done about them, step by step. */
export class CardOrderStory implements Story<CardOrderCommand, OrderState> {
  readonly core: OrderCore;
  readonly way: CardWay;

  constructor(
    private readonly input: CardOrderInput,
    carried?: CardOrderCarry,
  ) {
    this.core = new OrderCore('card_order', input, {}, carried?.core);
    const { record, opening } = this.core;
    this.way = new CardWay(
      {
        record,
        scale: opening.scale,
        show: (status, what, operator) => {
          record.moveTo(status, what, operator);
        },
        awaitedUntil: () => Date.now() + spans.awaitingCardMs * opening.scale,
      },
      carried?.way,
    );
    const card = carried === undefined ? input?.card : undefined;
    if (card !== undefined && card !== null) this.way.take(card);
  }

  view(): OrderState {
    return { ...this.core.view(), kind: 'card_order' };
  }

  ended(): boolean {
    return this.core.ended();
  }

  dueAt(): number {
    if (this.core.phase !== 'unsent') return this.core.dueAt();
    return this.way.stage === 'none' ? 0 : this.way.dueAt;
  }

  awaiting(): string {
    if (this.core.phase !== 'unsent') return this.core.awaiting();
    return this.way.stage === 'awaited'
      ? 'a card; without one the order is given up'
      : 'the time to send it again';
  }

  async step(): Promise<void> {
    const { core, way } = this;
    if (core.opening.problem !== undefined) return core.rejectInput(core.opening.problem);
    if (core.phase !== 'unsent') return core.step();
    switch (way.stage) {
      case 'none':
        return this.#check();
      case 'to_send':
        return this.#send();
      case 'awaited':
        return core.endUnsent('No card came in time. Nothing was sent, nothing charged.');
    }
  }

  untried(): boolean {
    return this.way.untried;
  }

  cancel(): boolean {
    return this.core.cancel();
  }

  onPostback(postback: PostbackReceived): void {
    this.core.onPostback(postback);
  }

  continueAsNew(): Promise<never> {
    const carry: CardOrderCarry = { core: this.core.carry(), way: this.way.carry() };
    return continueAsNew<typeof cardOrder>(this.input, carry);
  }

  async obey(command: CardOrderCommand): Promise<void> {
    if (command.kind === 'provide_card') this.way.provide(command);
    else await this.core.resolve(command);
  }

  async #check(): Promise<void> {
    const { problems } = await checking('check the request').checkInput({
      workflow_type: 'cardOrder',
      input: this.input,
    });
    if (problems.length > 0) return this.core.rejectInput(problemsText(problems));
    this.way.await('The order came without a card.');
  }

  async #send(): Promise<void> {
    const summary = `charge ${formatAmount(this.core.record.valueCentavos)}`;
    const sent = await this.way.send(summary, (desk, once) =>
      desk.createCardOrder({ ...once, order: this.input }),
    );
    if (sent !== undefined) this.core.conclude(sent);
  }
}
