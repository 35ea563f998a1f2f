import { Refused } from '../../src/domain/refused.js';
import { acknowledge } from './acknowledge.js';
import type { Queued } from './command-queue.js';
import { executeCommand, type AnyTakes } from './commands.js';
import type { Payment } from './payment.js';

/** What a lifecycle does now, while it does not wait. */
export const underWay = 'the outcome of the step under way';

/** Executes a command that came out of the queue, or refuses it with the reason and without effect. */
export async function execute(
  { answer, command, refuse }: Queued,
  payment: Payment,
  takes: AnyTakes,
  publish: (awaiting: string) => void,
): Promise<void> {
  publish(`the execution of ${command.name}`);
  try {
    payment.queue.refuseExpired();
    throwIfRefused(payment.refusalOf(command));
    if (command.name === 'acknowledgeAttention') acknowledge(payment, command.message);
    else await executeCommand(takes, command);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    payment.queue.done();
    // No decision, so the line may be merged with its like, and dropped.
    const by = command.message.by === undefined ? '' : ` by ${command.message.by}`;
    payment.record.note(`Refused (${command.name}${by}): ${error.message}`);
    refuse(error);
    return;
  }
  payment.queue.done();
  // Before the answer: whoever searches for what was commanded finds it.
  publish(underWay);
  answer(payment.view());
}

/** Has a stage do what a cancel request asks for, or notes that it changes nothing. */
export async function executeCancel(payment: Payment, { cancel }: AnyTakes): Promise<void> {
  if (cancel !== undefined) return cancel();
  payment.record.note('A cancel request came and changes nothing: the money is followed to its end.');
}

function throwIfRefused(refusal: Refused | undefined): void {
  if (refusal !== undefined) throw refusal;
}
