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

export type CommandName = keyof CommandMessages;

export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: { name: Each; message: CommandMessages[Each] };
}[Name];

type Handlers = { [Name in CommandName]?: (message: CommandMessages[Name]) => Promise<void> | void };

/** The commands that a stage takes while it waits. Each may throw a {@link Refused}; then nothing was changed. */
export type Takes = Handlers & {
  /** What a cancel request does; without it the request is noted and changes nothing. */
  cancel?: () => Promise<void> | void;
};

/** Has a stage execute a command. */
export async function executeCommand<Name extends CommandName>(
  takes: Handlers,
  command: Command<Name>,
): Promise<void> {
  const handler: Handlers[Name] = takes[command.name];
  if (handler === undefined) {
    throw new Refused('NotParked', `This payment takes no ${command.name} now. Nothing was changed.`);
  }
  await handler(command.message);
}
