import type { PaymentKind } from './kinds.js';
import { Refused, type RefusalType } from './refused.js';

/** The commands that some stage takes, by their names as Updates. */
const stageCommands = [
  'retryPayout',
  'abandonPayout',
  'resolveSubmission',
  'provideCard',
  'completeThreeDSecure',
  'retryRefund',
  'resolveRefund',
] as const;
export type StageCommand = (typeof stageCommands)[number];

/** All commands of payments. An acknowledgement depends on the attention, not on the stage. */
export const commandNames = [...stageCommands, 'acknowledgeAttention'] as const;
export type CommandName = (typeof commandNames)[number];

/** What a stage takes while it waits; it refuses all else. `cancel` is Temporal's request, which others note alone. */
export type Stage = readonly (StageCommand | 'cancel')[];

/** The stages of a lifecycle. A payment is in one of them at any moment; `closed` is the end of each. */
export type StageTable = Readonly<Record<string, Stage>>;

/** The commands of a lifecycle. */
export function commandsIn(stages: StageTable): CommandName[] {
  const taken = new Set(Object.values(stages).flatMap(commandsOf));
  return ['acknowledgeAttention', ...taken];
}

/** The commands that a stage takes, as a payment's state names them. */
export function commandsOf(stage: Stage): StageCommand[] {
  return stage.filter((name) => name !== 'cancel');
}

/** A payment as far as it decides which commands it takes. */
type Staged = {
  readonly kind: PaymentKind;
  readonly stage: Stage;
  readonly stages: StageTable;
  readonly status: string;
};

/** Why a payment does not take a command in its stage; undefined when it does. */
export function stageRefusal({ kind, stage, stages, status }: Staged, command: StageCommand) {
  if (stage.includes(command)) return undefined;
  const noun = nouns[kind];
  if (!Object.values(stages).some((each) => each.includes(command))) {
    return new Refused('InvalidMessage', `This ${noun} takes no ${command}: no payment of its kind does.`);
  }
  const { type, why } = notTaken[command];
  return new Refused(type, `This ${noun} is ${status}${why}`);
}

const nouns: Record<PaymentKind, string> = {
  card_order: 'order',
  hosted_checkout: 'order',
  three_d_secure_order: 'order',
  refund: 'refund',
  payout: 'payout',
  account_validation: 'account validation',
};

const notTaken: Record<StageCommand, { type: RefusalType; why: string }> = {
  retryPayout: { type: 'NotParked', why: ', not failed: there is nothing to retry.' },
  abandonPayout: {
    type: 'NotParked',
    why: ', neither failed nor waiting to be sent: there is nothing to abandon.',
  },
  resolveSubmission: { type: 'NotUnknown', why: ' and asks for no finding about its submission.' },
  provideCard: { type: 'NotAwaitingCard', why: ' and awaits no card.' },
  completeThreeDSecure: { type: 'NotAwaitingAuthentication', why: ' and awaits no authentication.' },
  retryRefund: { type: 'NotParked', why: ': there is nothing to retry.' },
  resolveRefund: { type: 'NotParked', why: ': there is nothing to resolve.' },
};
