import type { CommandName } from '../../src/domain/stage-table.js';
import { boundCommand, refusalOf, takeShared } from '../../workflows/shared/incoming.js';
import type { Message, SimulatedRun } from './simulated-run.js';

/** Receives how commands ended, for what was answered must stay true. */
export type Answers = {
  /** @param by the run that has executed it */
  accepted(name: CommandName, by: SimulatedRun): void;
  refused(name: CommandName): void;
};

/** Takes a message to a run as the handlers of a workflow do. */
export function deliver(message: Message, run: SimulatedRun, answers: Answers): void {
  const { living, loop } = run;
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
    case 'shared': {
      const { serviceId } = payment.record;
      return takeShared(payment, { service_id: serviceId, workflow_id: 'another' });
    }
    case 'cancel':
      return loop.requestCancel();
    case 'command': {
      const { message: sent, name } = message;
      // As by the validator of its Update.
      if (refusalOf(payment, name, sent) !== undefined) return answers.refused(name);
      run.unanswered += 1;
      loop.queue
        .execute(boundCommand(payment, name, sent))
        .finally(() => (run.unanswered -= 1))
        .then(
          () => answers.accepted(name, run),
          () => answers.refused(name),
        );
    }
  }
}
