import { byExploration, byTest, planted } from './bug.mjs';

const submission = 'src/domain/submission.ts';
const attempts = 'src/domain/payout-attempts.ts';
const stages = 'src/domain/payout-stages.ts';
const payout = 'workflows/payout.ts';
const payoutSubmission = 'workflows/payout/submission.ts';
const payoutCommands = 'workflows/payout/commands.ts';
const proofs = 'src/domain/payout-proofs.ts';
const payoutValue = 'src/domain/payout.ts';
const draft = 'src/domain/payout-draft.ts';
const schedule = 'workflows/shared/read-schedule.ts';

/** In the submission, attempts, commands and watch of a payout. */
export const bugsOfPayouts = [
  planted('payout', 3_000, submission, {
    'an unknown outcome is sent again blindly': [
      '      return unknown(outcome.reason, outcome.dispatched_before === true);',
      "      return again('not_sent', outcome.reason);",
    ],
    'an unknown outcome counts as refused': [
      '      return unknown(outcome.reason, outcome.dispatched_before === true);',
      "      return { kind: 'refused', reason: outcome.reason };",
    ],
  }),
  planted('payout', 3_000, payoutSubmission, {
    'a status code is taken for proof that nothing was done': [
      "sent.nothingBy === 'answer' ? unconfirmed(data, submission, time) : { submission }",
      '{ submission }',
    ],
  }),
  planted('payout', byTest('workflows/payout-scan-proofs'), 'workflows/payout/reads.ts', {
    // A plan may make no list so slow.
    'a proof counts from the end of its scan': [
      '  return { begunAt: scanned.begunAt, isScanned, ...',
      '  return { begunAt: ctx.now(), isScanned, ...',
    ],
  }),
  planted('payout', 10_000, payoutCommands, {
    'a retry reads nothing before it begins': [
      'payment.beginAttempt(command, await proveAllFailed(ctx, payment));',
      'payment.beginAttempt(command, ctx.now());',
    ],
  }),
  planted('payout', 10_000, proofs, {
    'a retry goes on although a fresh read shows that the payout moves': [
      '  if (!awaitsDecision(stage)) {',
      "  if (stage === 'submit') {",
    ],
    'a retry goes on although an attempt could not be read': [
      "  if (result === 'unreadable') {",
      "  if (result === 'unreadable') return undefined;\n  if (isInconsistent) {",
    ],
  }),
  planted('payout', 10_000, payoutCommands, {
    'a withdrawal does not withdraw': ["  payment.endUnsent('It was withdrawn.', command);\n", ''],
  }),
  planted('payout', 10_000, payoutValue, {
    'an abandonment is forgotten': [
      "  return { abandoned: true, news: ['Given up for good'], what };",
      "  return { news: ['Given up for good'], what };",
    ],
  }),
  planted('payout', 10_000, attempts, {
    'an attempt of unknown outcome counts as failed': [
      "  return isVoid(phase) || (phase === 'known' && status === 'error');",
      "  return isVoid(phase) || phase === 'unknown' || (phase === 'known' && status === 'error');",
    ],
    'an attempt under way counts as failed': [
      "(phase === 'known' && status === 'error');",
      "(phase === 'known' && status !== 'done');",
    ],
  }),
  planted('payout', 20_000, attempts, {
    'attempts that are believed void are never looked for': [
      '  return deniedAt !== undefined || isVoid(phase) ||',
      '  return deniedAt !== undefined ||',
    ],
  }),
  planted('payout', byExploration, attempts, {
    'a further attempt is sent again without the proof': [
      'previousFailed: latest.number > 1 && !isProven',
      'previousFailed: latest.number > 1 && !isProven && false',
    ],
  }),
  planted('payout', 10_000, attempts, {
    'a payout with two attempts done is not raised as failed or done, but watched by its latest alone': [
      "  const done = attempts.findLast(({ status }) => status === 'done');",
      "  const done = attempts.every(({ status }) => status === 'done') ? latest : undefined;",
    ],
  }),
  planted('payout', 10_000, stages, {
    'a resolution is offered while it is watched': ['  watch: [],', "  watch: ['resolveSubmission'],"],
    'an abandonment is offered while money moves': ['  follow: [],', "  follow: ['abandonPayout'],"],
  }),
  planted('payout', 10_000, payout, {
    'a refused payout without a watch asks without end': [
      'payment.reads.onceDueAt(refusalEndsAt(payment))',
      '(endsRefused(payment) ? ctx.now() : Infinity)',
    ],
    'the watch ends without a read': [
      "isOver && closesUnread(payment) ? 'clear' : await",
      "isOver ? 'clear' : await",
    ],
  }),
  planted('payout', 10_000, payoutSubmission, {
    'no read follows the answer to a submission': [
      '      return payment.planRead();\n    case',
      '      return;\n    case',
    ],
  }),
  planted('payout', 20_000, proofs, {
    'what the list holds already is about to be sent': [
      'if (latestOf(payout).listed === true) ',
      'if (latestOf(payout).number < 1) ',
    ],
  }),
  planted('payout', 20_000, draft, {
    'what a scan finds is not adopted': [
      '    if (!wasKnown && fault === null) this.#adopt(attempt, shown.service_id);\n',
      '',
    ],
  }),
  planted('payout', byExploration, draft, {
    'what an operator called unpaid stays so, whatever a read shows': [
      '      this.#adopt(attempt, attempt.serviceId);\n',
      '',
    ],
  }),
  planted('payout', 10_000, schedule, {
    'a hint is lost at a continue-as-new': [
      'this.data = data;',
      'this.data = { ...data, nextReadAt: null };',
    ],
  }),
];
