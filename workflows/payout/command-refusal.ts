import { failureCause } from '../../src/domain/payout-attempts.js';
import { correctionsProblem } from '../../src/domain/payout-corrections.js';
import type { Command, CommandMessages } from '../shared/context.js';
import { Refused } from '../shared/refused.js';
import { resolutionProblem } from '../shared/resolution.js';
import type { PayoutPayment } from './payment.js';

/** Why a payout does not take a command in its present stage; undefined when it does. */
export function commandRefusal(payment: PayoutPayment, command: Command): Refused | undefined {
  switch (command.name) {
    case 'retryPayout':
      return retryRefusal(payment, command.message);
    case 'abandonPayout':
      return ['decide', 'submit'].includes(payment.stage) ? undefined : notFailed(payment);
    case 'resolveSubmission':
      return resolveRefusal(payment, command.message);
    default:
      return new Refused('InvalidMessage', `A payout takes no ${command.name}.`);
  }
}

function retryRefusal(
  payment: PayoutPayment,
  { attempt, boundTo, corrections }: CommandMessages['retryPayout'],
): Refused | undefined {
  if (payment.stage !== 'decide') return notFailed(payment);
  const { latest } = payment.attempts;
  if (attempt === undefined) {
    const why = whyItMustBeNamed(payment);
    if (why !== undefined) {
      return new Refused(
        'DecisionNeeded',
        `${why} When it is still owed, name the latest attempt: attempt ${String(latest.number)}.`,
      );
    }
  }
  const problem = correctionsProblem(corrections, payment.method);
  if (problem !== undefined) return new Refused('InvalidMessage', problem);
  const meant = attempt ?? boundTo ?? latest.number;
  if (meant === latest.number) return undefined;
  return new Refused(
    'WrongAttempt',
    `The latest attempt is number ${String(latest.number)}, not ${String(meant)}.`,
  );
}

/** A retry that names no attempt, as a batch sends it, never overrides what an operator has to look at first. */
function whyItMustBeNamed({ attempts }: PayoutPayment): string | undefined {
  const returned = attempts.all.find(({ wasDone }) => wasDone);
  if (returned !== undefined) return `Attempt ${String(returned.number)} was done before it failed.`;
  if (failureCause(attempts.latest) === 'account_invalid') return 'The validation spoke against the account.';
  return attempts.latest.stopped === 'corrections' ? 'The last corrections were not usable.' : undefined;
}

function resolveRefusal(
  { attempts, record, stage }: PayoutPayment,
  message: CommandMessages['resolveSubmission'],
): Refused | undefined {
  const { latest } = attempts;
  const neverRead = latest.phase === 'known' && !latest.wasRead;
  if (stage !== 'resolve' && !neverRead) {
    return new Refused(
      'NotUnknown',
      `This payout is ${record.status}: the outcome of its submission is known.`,
    );
  }
  const problem = resolutionProblem(message);
  if (problem !== undefined) return problem;
  if (message.nothing_happened === true && latest.listed === true) {
    return new Refused(
      'InvalidMessage',
      "The service's list holds this payout, so something has happened. Give its service_id. Nothing was changed.",
    );
  }
  return undefined;
}

function notFailed({ record }: PayoutPayment): Refused {
  return new Refused(
    'NotParked',
    `This payout is ${record.status}, not failed: there is nothing to retry or abandon.`,
  );
}
