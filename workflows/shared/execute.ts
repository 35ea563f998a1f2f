import { Refused } from '../../src/domain/refused.js';
import { acknowledge } from './acknowledge.js';
import type { PendingCommand } from '../../src/domain/payment-record.js';
import type { Queued } from './command-queue.js';
import { executeCommand, type AnyTakes } from './commands.js';
import type { Payment } from './payment.js';

/** What a lifecycle does now, while it does not wait. */
export const underWay = 'the outcome of the step under way';

/** Executes a command that came out of the queue, or refuses it with the reason and without effect. */
export async function execute(
  { answer, command, pending, refuse }: Queued,
  payment: Payment,
  takes: AnyTakes,
  publish: (awaiting: string) => void,
): Promise<void> {
  publish(`the execution of ${command.name}`);
  try {
    throwIfRefused(expiry(pending, payment.now()) ?? payment.refusalOf(command));
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

/** Why a command is not executed any more; undefined before its deadline. By an abandonment nothing is sent, however late. */
function expiry({ name, takenAt, until }: PendingCommand, now: number): Refused | undefined {
  if (now < until || name === 'abandonPayout') return undefined;
  const waited = `It has waited ${String(Math.floor((now - takenAt) / 60_000))} minutes for the steps before it`;
  return new Refused(
    'Expired',
    `${waited}, and is not executed any more. Nothing was changed. Send it again.`,
  );
}

/** Has a stage do what a cancel request asks for, or notes that it changes nothing. */
export async function executeCancel(payment: Payment, { cancel }: AnyTakes): Promise<void> {
  if (cancel !== undefined) return cancel();
  payment.record.note('A cancel request came and changes nothing: the money is followed to its end.');
}

function throwIfRefused(refusal: Refused | undefined): void {
  if (refusal !== undefined) throw refusal;
}
