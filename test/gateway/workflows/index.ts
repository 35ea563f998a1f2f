import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AwaitStatus, ProvideCard, RetryPayout } from '../../../src/contract/messages.js';
import type { CardOrderInput } from '../../../src/contract/order.js';
import type { PayoutInput } from '../../../src/contract/payout.js';
import { searchAttributes } from '../../../src/domain/search-attributes.js';
import type { RefundInput } from '../../../src/contract/refund.js';
import type { OrderState, PayoutState, RefundState } from '../../../src/contract/state.js';

/** What a test makes of a payment, in place of the service. */
export type Change = Partial<Pick<PayoutState, 'status' | 'attention'>> & {
  /** Also becomes the search attribute of that name, as the status does. */
  service_id?: string;
  end?: boolean;
  /** Fails the workflow, as a fault in its code would. */
  fail?: boolean;
  continue?: boolean;
};

const changeSignal = defineSignal<[Change]>('change');

/** A payout that moves when the test says so, behind the messages of the real one. */
export async function payout(input: PayoutInput): Promise<PayoutState> {
  const { partner_code, method, value } = input;
  const first = {
    number: 1,
    partner_code,
    service_id: null,
    list_id: null,
    status: 'submitting',
    cause: null,
    error: null,
  };
  const state: PayoutState = {
    ...blank(partner_code, value),
    kind: 'payout',
    method,
    attempts: [first],
    send_before: null,
    retry_requires: null,
  };
  const life = live(state, input);
  setHandler(defineUpdate<PayoutState, [RetryPayout]>('retryPayout'), ({ by, reason }) => {
    if (state.status !== 'error') throw refusal('NotParked', 'This payout did not fail.');
    state.status = 'submitting';
    state.attempts.push({ ...first, number: 2, partner_code: `${partner_code}-r2` });
    state.timeline.push({ at: 'now', what: 'retry', ...(by && { by }), ...(reason && { reason }) });
    return state;
  });
  setHandler(defineUpdate<PayoutState, [object]>('abandonPayout'), async () => {
    // As behind a scan of a long list.
    await condition(() => state.status !== 'processing');
    state.status = 'abandoned';
    return state;
  });
  return life;
}

/** An order that moves when the test says so, behind the messages of the real one. */
export async function cardOrder(input: CardOrderInput): Promise<OrderState> {
  const state: OrderState = {
    ...blank(input.order.partner_code, input.order.value),
    kind: 'card_order',
    candidates: [],
    checkout: null,
    authentication: null,
  };
  state.timeline.push({ at: 'now', what: `card ${input.card?.card_ref ?? 'none'}` });
  const life = live(state, input);
  setHandler(defineUpdate<OrderState, [ProvideCard]>('provideCard'), ({ card_ref }) => {
    if (state.status !== 'awaiting_card') throw refusal('NotAwaitingCard', 'This order needs no card.');
    state.status = 'submitting';
    state.timeline.push({ at: 'now', what: `card ${card_ref}` });
    return state;
  });
  return life;
}

/** A batch that starts nothing. */
export async function payoutBatch(): Promise<void> {
  await condition(() => false);
}

/** A refund that moves when the test says so. */
export async function refund(input: RefundInput): Promise<RefundState> {
  const { partner_code, service_id, value = 0 } = input;
  const state: RefundState = {
    ...{ ...blank(partner_code, value), service_id },
    ...{ kind: 'refund', outcome: null, requests: 1, status: 'refund_processing', retry_requires: null },
  };
  return live(state, input);
}

/**
 * Moves as the test says, and takes what every kind takes. It is called before the handlers of a kind are set: a change that
 * the first task brings, beside a command, is made before the command.
 */
async function live<State extends PayoutState | OrderState | RefundState>(
  state: State,
  input: object,
): Promise<State> {
  let end = false;
  let again = false;
  let fail = false;
  setHandler(defineQuery<State>('state'), () => ({ ...state, closed: end }));
  setHandler(
    changeSignal,
    ({ status, attention, service_id, end: ends, continue: continues, fail: fails }) => {
      if (service_id !== undefined) {
        state.service_id = service_id;
        upsertSearchAttributes([{ key: searchAttributes.PaymentServiceId, value: service_id }]);
      }
      if (status !== undefined) {
        state.status = status;
        upsertSearchAttributes([
          { key: searchAttributes.PaymentStatus, value: status },
          { key: searchAttributes.PaymentUpdatedAt, value: new Date() },
        ]);
      }
      if (attention !== undefined) state.attention = attention;
      end ||= ends === true;
      again ||= continues === true;
      fail ||= fails === true;
    },
  );
  setHandler(defineUpdate<State, [AwaitStatus]>('awaitStatus'), async ({ statuses, timeout_seconds }) => {
    const reached = () =>
      statuses.length === 0
        ? state.status !== 'submitting' || state.attention !== null
        : statuses.includes(state.status);
    await condition(() => end || reached(), timeout_seconds * 1_000);
    return { ...state, closed: end };
  });
  setHandler(defineUpdate<State, [object]>('resolveSubmission'), () => {
    if (state.status !== 'submission_unknown')
      throw refusal('NotUnknown', 'The outcome of this payment is known.');
    return state;
  });
  setHandler(defineUpdate<State, [object]>('acknowledgeAttention'), () => {
    if (state.attention === null) throw refusal('NoAttention', 'No attention is raised.');
    state.attention = null;
    return state;
  });
  await condition(() => end || again || fail);
  if (fail) throw refusal('Fault', 'The code of this test has a fault.');
  if (!end) await continueAsNew(input);
  return { ...state, closed: true };
}

function blank(partner_code: string, value: number) {
  return {
    partner_code,
    workflow_id: workflowInfo().workflowId,
    started_by: null,
    service_id: null,
    status: 'submitting',
    cause: null,
    attention: null,
    attention_detail: null,
    value,
    updated_at: '2026-01-01T00:00:00.000Z',
    closed: false,
    awaiting: 'the test',
    commands: ['acknowledgeAttention' as const],
    pending_commands: [],
    refusal: null,
    last_read: null,
    next_read_at: null,
    timeline: [] as { at: string; what: string; by?: string; reason?: string }[],
  };
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
