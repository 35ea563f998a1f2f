import type {
  AbandonPayout,
  AcknowledgeAttention,
  CompleteThreeDSecure,
  ProvideCard,
  ResolveRefund,
  ResolveSubmission,
  RetryPayout,
  RetryRefund,
} from '../../src/contract/messages.js';
import { Refused } from '../../src/domain/refused.js';
import type { CommandName, StageCommand } from '../../src/domain/stage-table.js';

/** The commands that operators and order-management services send, by their names as Updates. */
export type CommandMessages = {
  acknowledgeAttention: AcknowledgeAttention;
  /** `boundTo` is the attempt that was the latest when the command came in. */
  retryPayout: RetryPayout & { boundTo?: number };
  abandonPayout: AbandonPayout;
  resolveSubmission: ResolveSubmission;
  provideCard: ProvideCard;
  completeThreeDSecure: CompleteThreeDSecure;
  retryRefund: RetryRefund;
  resolveRefund: ResolveRefund;
};

export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: { name: Each; message: CommandMessages[Each] };
}[Name];

type Handlers = { [Name in StageCommand]?: (message: CommandMessages[Name]) => Promise<void> | void };

/**
 * What some stage does with what it takes. A handler may throw a {@link Refused}; then nothing was changed. A cancel
 * request that a stage does not take is noted, and changes nothing.
 */
export type AnyTakes = Handlers & { cancel?: () => Promise<void> | void };

/** What a stage does with what the table of its lifecycle has for it: neither more nor less. */
export type Takes<Name extends keyof AnyTakes> = Required<Pick<AnyTakes, Name>>;

/** Has a stage execute a command. */
export async function executeCommand<Name extends StageCommand>(
  takes: Handlers,
  command: Command<Name>,
): Promise<void> {
  const handler: Handlers[Name] = takes[command.name];
  if (handler === undefined) {
    throw new Refused('NotParked', `This payment takes no ${command.name} now. Nothing was changed.`);
  }
  await handler(command.message);
}
