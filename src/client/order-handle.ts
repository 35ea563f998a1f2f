import {
  completeThreeDSecure,
  provideCard,
  threeDSecureToken,
  type CompleteThreeDSecure,
  type ProvideCard,
  type ThreeDSecureToken,
} from '../contract/messages.js';
import { orderState, type OrderState } from '../contract/state.js';
import type { Execution } from './execution.js';
import { parseRequest } from './parse.js';
import { PaymentHandle, type Sending } from './payment-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** An order, of whichever kind. */
export class OrderHandle extends PaymentHandle<OrderState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, orderState);
  }

  /**
   * The identifier at the service; null when it has none. Of an order that was taken just now the state
   * alone may have it; one that an operator names is in both when the command is answered.
   *
   * @param execution what {@link execution} has answered, when it was asked already
   * @throws PaymentNotFoundError, TemporalUnavailableError
   */
  async serviceId(execution?: Execution): Promise<string | null> {
    const { serviceId } = execution ?? (await this.execution());
    return serviceId ?? (await this.state()).service_id;
  }

  /** Gives an order that lost its card another one, by where it waits. @throws CommandRefusedError, CommandPendingError */
  async provideCard(card: ProvideCard, sending?: Sending): Promise<OrderState> {
    return this.command('provideCard', parseRequest(provideCard, card), sending);
  }

  /** A token for the browser's 3D Secure flow, a new one each time. @throws CommandRefusedError */
  async issueThreeDSecureToken(): Promise<ThreeDSecureToken> {
    return this.ask('issueThreeDSecureToken', {}, threeDSecureToken);
  }

  /** Completes a 3D Secure order with a card from the card store. @throws CommandRefusedError, CommandPendingError */
  async completeThreeDSecure(command: CompleteThreeDSecure, sending?: Sending): Promise<OrderState> {
    return this.command('completeThreeDSecure', parseRequest(completeThreeDSecure, command), sending);
  }
}
