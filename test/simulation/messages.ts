import { messageProblem } from '../../src/domain/command-messages.js';
import { asRecord } from '../../src/domain/records.js';
import { acknowledgeRefusal } from '../../workflows/shared/acknowledge.js';
import type { Command, CommandName } from '../../workflows/shared/commands.js';
import type { Refused } from '../../src/domain/refused.js';
import type { Message, SimulatedRun } from './simulated-run.js';

/** Receives how commands ended, for what was answered must stay true. */
export type Answers = {
  /** @param by the run that has executed it */
  accepted(name: CommandName, by: SimulatedRun): void;
  refused(name: CommandName): void;
};

/** Takes a message to a run as the handlers of a workflow do. */
export function deliver(message: Message, run: SimulatedRun, answers: Answers): void {
  const { ctx, living } = run;
  const { payment } = living;
  switch (message.kind) {
    case 'hint':
      return payment.reads.hint('hint');
    case 'postback':
      payment.onPostback({
        received_at: new Date(payment.record.data.updatedAt).toISOString(),
        content_type: null,
        body: message.body,
      });
      return payment.reads.hint('postback');
    case 'cancel':
      return ctx.requestCancel();
    case 'command': {
      // The contract of a command is checked right here, as by the validator of its Update.
      const command = { name: message.name, message: asRecord(message.message) } as Command;
      const isRefused =
        messageProblem(message.name, message.message) !== undefined || refusalOf(command, payment);
      if (isRefused) return answers.refused(message.name);
      const bound = payment.bind(command);
      ctx.queue.execute(bound).then(
        () => answers.accepted(message.name, run),
        () => answers.refused(message.name),
      );
    }
  }
}

function refusalOf(command: Command, payment: SimulatedRun['living']['payment']): Refused | undefined {
  return command.name === 'acknowledgeAttention'
    ? acknowledgeRefusal(payment.record)
    : payment.refusalOf(command);
}
