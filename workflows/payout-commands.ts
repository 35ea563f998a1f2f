import { ActivityFailure, patched } from '@temporalio/workflow';
import type { AbandonPayout, ResolveSubmission, RetryPayout } from '../src/contract/messages.js';
import type { PayoutCorrections } from '../src/contract/payout.js';
import { correctionsProblem } from '../src/domain/payout-corrections.js';
import type { PayoutStory } from './payout-story.js';
import { reading } from './shared/activities.js';
import { refusal } from './shared/inbox.js';
import { operatorOf } from './shared/lifecycle.js';
import { decisionOf } from './shared/decision.js';
import type { Operator } from './shared/payment-record.js';

type Retry = Operator & { kind: 'retry'; failed: number; corrections?: PayoutCorrections };
type Abandon = AbandonPayout & { kind: 'abandon' };
type Resolve = ResolveSubmission & { kind: 'resolve' };

export type PayoutCommand = Retry | Abandon | Resolve;

/** The command as it is put into the inbox: bound to the attempt that has failed when it came in. */
export function retryOf(command: RetryPayout | undefined, story: PayoutStory): Retry {
  return {
    ...operatorOf(command),
    kind: 'retry',
    failed: command?.attempt ?? story.attempts.latest.number,
    ...(command?.corrections ? { corrections: command.corrections } : {}),
  };
}

/** Refuses at the door what can't be obeyed. */
export function refuseRetry(command: RetryPayout | undefined, story: PayoutStory): void {
  story.attempts.refuseUnlessParked();
  story.attempts.refuseUnlessNamed(command?.attempt);
  const problem = correctionsProblem(command?.corrections, story.method);
  if (problem !== undefined) throw refusal('InvalidMessage', problem);
  refuseOtherAttempt(command?.attempt ?? story.attempts.latest.number, story);
}

export async function obeyPayoutCommand(story: PayoutStory, command: PayoutCommand): Promise<void> {
  switch (command.kind) {
    case 'retry':
      return retry(story, command);
    case 'abandon':
      story.attempts.refuseUnlessParked();
      story.attempts.abandon(command);
      return;
    case 'resolve':
      return resolve(story, command);
  }
}

/** A further attempt, once fresh reads have shown that none of the former ones has moved or moves money. */
async function retry(story: PayoutStory, command: Retry): Promise<void> {
  story.attempts.refuseUnlessParked();
  refuseOtherAttempt(command.failed, story);
  let clear: boolean;
  let followed = false;
  try {
    clear = await story.looks.again();
    if (story.attempts.parked && clear) followed = await story.sending.followFormerAttempt(command);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    throw refusal(
      'CouldNotRead',
      'The former attempts could not be read just now, so nothing was sent. Try again later.',
    );
  }
  if (followed || !story.attempts.parked) {
    throw refusal(
      'AlreadyMoving',
      `A fresh read shows that a former attempt did not fail: ${story.record.status}. Nothing was sent.`,
    );
  }
  if (!clear || story.record.isRaised('inconsistent_answer')) {
    throw refusal(
      'CouldNotRead',
      'What the service shows of a former attempt is not clear, so nothing was sent.',
    );
  }
  story.sending.beginAttempt(command.corrections, command);
}

async function resolve(story: PayoutStory, command: Resolve): Promise<void> {
  story.attempts.refuseUnlessUnknown();
  const serviceId = decisionOf(command);
  if (serviceId === null) {
    story.attempts.refuseIfListed();
    story.attempts.markNotPaid(operatorOf(command));
    return;
  }
  if (story.attempts.all.some((attempt) => attempt.serviceId === serviceId)) {
    throw refusal('InvalidMessage', 'That is another attempt of this payout. Nothing was changed.');
  }
  const shown = await readNow(serviceId);
  const found = { ...shown, service_id: shown.service_id ?? serviceId };
  const listed = patched('list-before-resolve') ? await listNow(story, serviceId) : [];
  for (const record of [found, ...listed]) {
    const fault = story.attempts.misfitOfLatest(record);
    if (fault !== null)
      throw refusal('InvalidMessage', `${fault} It is not this payout. Nothing was changed.`);
    if (record.service_id !== null && record.service_id !== serviceId) {
      throw refusal(
        'InvalidMessage',
        `The service's list holds this payout as ${String(record.service_id)}, not as ${serviceId}. Nothing was changed.`,
      );
    }
  }
  story.attempts.adopt(story.attempts.latest, found);
  story.record.note(`Resolved: it is ${serviceId} at the service`, operatorOf(command));
  story.follower.dueNow('command');
}

function readNow(serviceId: string) {
  return orRefuse(reading('read the payout that a person named').readPayout({ service_id: serviceId }));
}

/** The list tells whose an identifier is; a read by it may not. */
function listNow(story: PayoutStory, serviceId: string) {
  const { partnerCode } = story.attempts.latest;
  return orRefuse(story.looks.listed({ partner_codes: [partnerCode], service_ids: [serviceId] }));
}

async function orRefuse<Shown>(reading: Promise<Shown>): Promise<Shown> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    throw refusal(
      'CouldNotRead',
      'That payout could not be read just now. Nothing was changed. Try again later.',
    );
  }
}

function refuseOtherAttempt(failed: number, story: PayoutStory): void {
  if (failed !== story.attempts.latest.number) {
    throw refusal(
      'WrongAttempt',
      `The latest attempt is number ${String(story.attempts.latest.number)}, not ${String(failed)}.`,
    );
  }
}
