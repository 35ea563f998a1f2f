import { ApplicationFailure, currentUpdateInfo, setHandler } from '@temporalio/workflow';
import type {
  AwaitStatus,
  IdentifierShared,
  PostbackReceived,
  StatusHint,
} from '../../src/contract/messages.js';
import {
  awaitStatusUpdate,
  commandUpdates,
  identifierSharedSignal,
  messageUnopenedSignal,
  postbackReceivedSignal,
  retryPayoutSignal,
  stateQuery,
  statusHintSignal,
} from '../messages.js';
import { StatusWaiters } from './await-status.js';
import type { Command } from './commands.js';
import { commandsIn } from '../../src/domain/stage-table.js';
import {
  boundCommand,
  refusalOf,
  takeHint,
  takePostback,
  takeRetrySignal,
  takeShared,
  takeUnopened,
} from './incoming.js';
import type { Payment } from './payment.js';
import { Refused } from '../../src/domain/refused.js';
import type { Loop } from './loop.js';
import type { Clock } from './clock.js';

/**
 * Registers the handlers of a payment. They only validate and enqueue; the lifecycle executes. Call it before the
 * first await: a message that came with the start finds its handler only then.
 */
export function registerHandlers(loop: Loop, clock: Clock, payment: Payment): void {
  setHandler(stateQuery, () => payment.view());
  setHandler(postbackReceivedSignal, (postback: PostbackReceived | undefined) => {
    takePostback(payment, postback);
  });
  setHandler(statusHintSignal, (hint: StatusHint | undefined) => {
    takeHint(payment, hint);
  });
  setHandler(identifierSharedSignal, (shared: IdentifierShared | undefined) => {
    takeShared(payment, shared);
  });
  setHandler(messageUnopenedSignal, (name) => {
    takeUnopened(payment, name);
  });
  const names = commandsIn(payment.stages);
  for (const name of names) {
    // Each Update takes a message of its own type, which its validator has checked.
    setHandler(
      commandUpdates[name],
      (message: Command['message'] | undefined) =>
        answer(() => {
          const executed = loop.queue.execute(boundCommand(payment, name, message), currentUpdateInfo()?.id);
          loop.show();
          return executed;
        }),
      {
        validator: (message: Command['message'] | undefined) => {
          throwRefusal(refusalOf(payment, name, message));
        },
      },
    );
  }
  if (names.includes('retryPayout')) registerRetrySignal(loop, payment);
  registerAwaitStatus(loop, clock, payment);
}

function registerRetrySignal(loop: Loop, payment: Payment): void {
  setHandler(retryPayoutSignal, (message) => {
    takeRetrySignal(payment, message, (command) => loop.queue.enqueue(command));
  });
}

function registerAwaitStatus(loop: Loop, clock: Clock, payment: Payment): void {
  const waiters = new StatusWaiters(payment.record, clock);
  setHandler(
    awaitStatusUpdate,
    async (wanted: AwaitStatus) => {
      await waiters.wait(wanted, () => loop.leaving);
      return payment.view();
    },
    {
      validator: (wanted: AwaitStatus | undefined) => {
        throwRefusal(waiters.refusalOf(wanted));
      },
    },
  );
}

async function answer<Answer>(executed: () => Promise<Answer>): Promise<Answer> {
  try {
    return await executed();
  } catch (error) {
    if (error instanceof Refused) throw toFailure(error);
    throw error;
  }
}

function throwRefusal(refused: Refused | undefined): void {
  if (refused !== undefined) throw toFailure(refused);
}

/**
 * The failure that the sender of a command receives; benign, so that it is readable in Temporal without a key. A plain
 * Error would fail the workflow task instead.
 */
export function toFailure({ type, message }: Refused): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    category: 'BENIGN',
  });
}
