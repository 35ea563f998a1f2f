import { acknowledgeRefusal, attentions, type Attention } from '../../src/domain/attention.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import { refusalOf } from '../../workflows/shared/incoming.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { Violation } from '../simulation/violation.js';
import { isReset, operator, type SentCommand, type World } from './world.js';

/** Operators acknowledge what they were shown, which may be another attention than the one that is shown now. */
export function acknowledgements<Service>(
  payment: Payment,
  executed: (service: Service) => void,
): SentCommand<Service>[] {
  if (acknowledgeRefusal(payment.record.attention) !== undefined) return [];
  return attentions.map((attention) => ({ name: 'acknowledgeAttention', message: { attention }, executed }));
}

/** What speaks against a command that a payment takes; undefined when nothing does. */
export function whyNotTaken({ record }: Payment, { message }: SentCommand<never>): Violation | undefined {
  if (!('attention' in message) || message.attention === record.attention) return undefined;
  return new Violation('an acknowledgement ends what its sender was shown', JSON.stringify(message));
}

/** What speaks against a command having been executed in a world; undefined when nothing does. */
export function whyNotExecuted(
  { run, stage }: World<unknown>,
  { name }: SentCommand<never>,
): Violation | undefined {
  const sends = name === 'retryPayout' || name === 'retryRefund';
  const withdraws = name === 'abandonPayout' && stage === 'submit';
  if (!isReset(run) || !(sends || withdraws)) return undefined;
  return new Violation('a run that came about by a reset decides nothing that is sent', name);
}

/** A stage that a command is offered in has to have a handler for it. */
export function whyNotRefused(reason: unknown, { name }: SentCommand<never>): Violation | undefined {
  if (!String(reason).includes(`takes no ${name} now`)) return undefined;
  return new Violation('what is offered is taken', name);
}

/** @throws Violation unless what a payment shows follows from all that is known of it */
export function showsWhatFollows(payment: Payment): void {
  const { needs, status } = payment.record.data;
  payment.conclude();
  const { needs: wanted, status: next } = payment.record.data;
  if (next === status && JSON.stringify(wanted) === JSON.stringify(needs)) return;
  const shown = `it shows ${status} ${JSON.stringify(needs)}, and is ${next} ${JSON.stringify(wanted)}`;
  throw new Violation('a payment shows what follows from all that is known', shown);
}

const decisions: Readonly<Partial<Record<Attention, readonly CommandName[]>>> = {
  payout_failed: ['abandonPayout'],
  submission_unknown: ['resolveSubmission'],
  awaiting_card: ['provideCard', 'completeThreeDSecure'],
  refund_unconfirmed: ['resolveRefund'],
  refund_failed: ['resolveRefund'],
};

/** @throws Violation unless a payment that needs an operator offers a command that ends this */
export function offersAnExit({ commands, record }: Payment): void {
  const { attention } = record;
  if (attention === null) return;
  const ends = decisions[attention] ?? ['acknowledgeAttention'];
  if (commands.some((name) => ends.includes(name))) return;
  throw new Violation(everyExit, `${attention}, and it takes ${commands.join(', ') || 'nothing'}`);
}

/** @throws Violation unless one of the commands that were taken has led out of what an operator was needed for */
export function leadsOut(attention: Attention | null, after: readonly (Attention | null)[]): void {
  if (attention === null || after.some((next) => next !== attention)) return;
  throw new Violation(everyExit, `no command that is taken leads out of ${attention}`);
}

const everyExit = 'every attention has an exit';

/** @throws Violation unless whoever is asked about a submission of unknown outcome can answer */
export function canBeAnswered(payment: Payment): void {
  const { attention, serviceId } = payment.record;
  if (attention !== 'submission_unknown') return;
  const findings = [{ nothing_happened: true }, { service_id: serviceId ?? '1' }];
  const refusals = findings.map((finding) =>
    refusalOf(payment, 'resolveSubmission', { ...operator, ...finding }),
  );
  if (refusals.includes(undefined)) return;
  throw new Violation('an operator who is asked can act', refusals.map(String).join(' '));
}
