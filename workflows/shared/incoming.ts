import type { PostbackReceived } from '../../src/contract/messages.js';
import { withoutPans } from '../../src/domain/cards.js';
import { messageProblem } from '../../src/domain/command-messages.js';
import { hasOwnIdentifier } from '../../src/domain/ids.js';
import { longestPostback } from '../../src/domain/postback-identifiers.js';
import { refundHintSource } from '../../src/domain/refund.js';
import { asRecord } from '../../src/domain/records.js';
import { Refused } from '../../src/domain/refused.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import type { Command } from './commands.js';
import type { Payment } from './payment.js';

/** Why a payment does not take a command now, from whomever it comes; undefined when it does. */
export function refusalOf(payment: Payment, name: CommandName, message: unknown): Refused | undefined {
  const problem = messageProblem(name, message);
  if (problem !== undefined) return new Refused('InvalidMessage', `${problem} Nothing was changed.`);
  return notTakenInTime(message, payment.now()) ?? payment.refusalOf(commandOf(name, message));
}

/** Whoever sent a command that comes so late has been answered that it was not taken. */
export function notTakenInTime(message: unknown, now: number): Refused | undefined {
  const { take_before: before } = asRecord(message);
  if (typeof before !== 'string' || now < Date.parse(before)) return undefined;
  const at = new Date(now).toISOString();
  const what = `This command was to be taken before ${before}, and came at ${at}.`;
  return new Refused('NotTakenInTime', `${what} Nothing was changed. Send it again.`);
}

/** A command that {@link refusalOf} lets through, tied to the state in which it came in. */
export function boundCommand(payment: Payment, name: CommandName, message: unknown): Command {
  return payment.bind(commandOf(name, message));
}

/** A message that {@link messageProblem} has passed has the fields of its command. */
function commandOf(name: CommandName, message: unknown): Command {
  return { name, message: asRecord(message) } as Command;
}

/** A postback, which a bare client may send without anything in it: what it names is looked at, and read afterwards. */
export function takePostback(payment: Payment, postback: PostbackReceived | undefined): void {
  if (typeof postback?.body === 'string')
    payment.onPostback({ ...postback, body: withoutPans(postback.body.slice(0, longestPostback)) });
  payment.reads.hint('postback');
}

/** A hint, which a plain Temporal client may send empty. That of a refund does not wait for the pause between hints. */
export function takeHint({ reads }: Payment, hint: unknown): void {
  if (asRecord(hint).source === refundHintSource) reads.dueNow('hint');
  else reads.hint('hint');
}

/** Another payment of ours has its identifier: a read decides what follows. */
export function takeShared(payment: Payment, message: unknown): void {
  const { service_id: serviceId, workflow_id: workflowId } = asRecord(message);
  const { record } = payment;
  if (typeof serviceId !== 'string' || typeof workflowId !== 'string') return;
  // That of a refund is its order's.
  if (![workflowId, payment.run.workflowId].every(hasOwnIdentifier)) return;
  const { shared } = record.data;
  const isKnown = shared?.workflowId === workflowId && isSameIdentifier(shared.serviceId, serviceId);
  if (isKnown || !isSameIdentifier(serviceId, record.serviceId)) return;
  record.set({ shared: { serviceId, workflowId, since: payment.now(), isExamined: false } });
  payment.conclude();
  payment.reads.dueNow('hint');
}

const signalNames = ['postbackReceived', 'statusHint', 'identifierShared', 'retryPayout'] as const;

/** A Signal that could not be opened. Its name is its sender's: only those that are ours are repeated. */
export function takeUnopened({ record }: Payment, name: unknown): void {
  const known = signalNames.find((ours) => ours === name) ?? 'of a name that is none of ours';
  record.note(`A Signal ${known} could not be opened, and was dropped: nothing was done for it.`);
}

/** A retry by Signal. A batch operation signals payouts in every state; only those that can be retried are. */
export function takeRetrySignal(
  payment: Payment,
  message: unknown,
  enqueue: (command: Command) => void,
): void {
  const refusal = refusalOf(payment, 'retryPayout', message);
  if (refusal === undefined) enqueue(boundCommand(payment, 'retryPayout', message));
  else if (refusal.type === 'InvalidMessage') {
    payment.record.note(`A retryPayout Signal had no effect: ${refusal.message}`);
  }
}
