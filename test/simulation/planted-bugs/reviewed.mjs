import { byDeepExploration, byExploration, byTest, planted } from './bug.mjs';

const payoutCommands = 'workflows/payout/commands.ts';
const draft = 'src/domain/payout-draft.ts';
const readings = 'src/domain/payout-readings.ts';
const secured = 'workflows/three-d-secure-order.ts';

/** What reviews and the exploration have found, put back. */
export const bugsThatWereFound = [
  planted('payout', byTest('domain/bulk-retry'), 'src/domain/bulk-retry.ts', {
    'a bulk retry ignores failed_before': [
      '    fits(filter.failed_before, (until) => failedAt <= Date.parse(until)) &&\n',
      '',
    ],
  }),
  planted('payout', byTest('domain/submission'), 'src/domain/submission.ts', {
    'a call that no worker took is sent again after a delay, not in its turn': [
      'waitsForTurn({ ...state, endedUnmarked: true, inLine: true })',
      "afterOutcome({ outcome: 'not_sent', reason: '' }, state, now, scale)",
    ],
  }),
  planted('payout', byTest('activities/retry-payouts'), 'activities/shared/at-rate.ts', {
    'one payout of a bulk retry delays the others': [
      'await Promise.race([...underWay, cancelled])',
      'await Promise.all(underWay)',
    ],
  }),
  planted('payout', byExploration, draft, {
    'a list that lags outweighs a read that was made just now': [
      "const mayLag = wasReadNow && attempt.status !== 'error';",
      'const mayLag = false;',
    ],
  }),
  planted('payout', byExploration, payoutCommands, {
    'nothing has happened to an identifier that a read shows': ['    await refuseFound(ctx, payment);\n', ''],
  }),
  planted('payout', byExploration, draft, {
    'nothing has happened to what the list shows': ['    attempt.listed = true;\n', ''],
  }),
  planted('payout', byExploration, readings, {
    'after a reset movement that a read shows does not count': [
      'read.filter((each) => !failures.includes(each))',
      'payout.owesScan ? [] : read.filter((each) => !failures.includes(each))',
    ],
    'a read that shows a failure outweighs a list that shows movement': [
      'isListedMoving(attempt) ? { ...shown, status: attempt.status } : shown',
      'shown',
    ],
  }),
  planted('payout', byExploration, 'src/domain/payout-attempts.ts', {
    'what was given up is shown as abandoned while it moves': [
      "if (abandoned && attempts.every(provenFailed)) return 'abandoned';",
      "if (abandoned && shown.status !== 'done') return 'abandoned';",
    ],
  }),
  planted('payout', byExploration, 'src/domain/attention.ts', {
    'an acknowledgement ends whatever is shown by then': [
      '  if (seen !== attention) {',
      '  if (seen === undefined) {',
    ],
  }),
  planted('payout', byExploration, 'workflows/payout/watch.ts', {
    'at the end of a watch a payout is read without end': [
      'closesUnread(payment) ? ends : payment.reads.onceDueAt(ends)',
      'ends',
    ],
  }),
  planted('refund', byExploration, 'workflows/refund/payment.ts', {
    'after a reset a refund that was refused is requested again at once': [
      "this.#forgetWhatCame(['to_send', 'refused', 'failed', 'decided'], false);",
      "this.#forgetWhatCame(['to_send', 'decided'], false);",
    ],
  }),
  planted('refund', byExploration, 'workflows/refund/commands.ts', {
    'after a reset a refund that is cancelled counts as unsent': [
      ' || ctx.run.afterReset) {',
      ') {',
      ['start, not found'],
    ],
  }),
  planted('refund', byExploration, 'src/domain/refund-stages.ts', {
    'an order is refunded whose status is not known': [
      '  return shown === null || isServiceOrderStatus(shown) || isRefundUnderWay(shown)\n    ? null',
      '  return shown !== null\n    ? null',
    ],
  }),
  planted('card_order', byExploration, 'src/domain/candidates.ts', {
    'an order that a postback names is looked for once': [
      'if (misses >= mostMisses) return',
      'if (misses >= 0) return',
    ],
  }),
  planted('three_d_secure_order', byExploration, secured, {
    'a completion that was put off is sent without a read': [
      '  if (!payment.data.completion.putOff) return true;',
      '  if (payment.stage !== undefined) return true;',
    ],
    'a completion is begun again without a read of what the first one came to': [
      'payment.data.completion.sentBefore ? await readAndSettle(ctx, payment) : null',
      'null',
    ],
  }),
  planted('refund', byExploration, 'src/domain/refund-stages.ts', {
    'a failure that may be that of an earlier request lets a further one go': [
      ' || (isAnswered && mayShowEarlier);',
      ';',
    ],
  }),
  ...['payout', 'card_order', 'refund'].flatMap((kind) => [
    planted(kind, 5_000, 'src/domain/read-schedule.ts', {
      'a read that failed leaves its due time in the past': [
        'const at = now + Math.min(byCadenceMs, rereadMs) * scale;',
        'const at = (unreadableSince ?? now) + Math.min(byCadenceMs, rereadMs) * scale;',
      ],
    }),
    planted(kind, 5_000, 'src/domain/cadence.ts', {
      'a read that failed is made again without backoff': [
        'Math.min(Math.max(failingMs / 2, 5 * minute), 6 * hour)',
        'Math.min(failingMs / 2, 5_000)',
      ],
    }),
  ]),
  ...['payout', 'card_order'].map((kind) =>
    planted(kind, byExploration, 'src/domain/attention.ts', {
      'nothing leads out of an identifier that no read finds any more': [
        "    attention === 'submission_unknown' ||\n",
        "    attention === 'submission_unknown' ||\n    attention === 'unreadable' ||\n",
      ],
    }),
  ),
  planted('payout', byTest('workflows/moved-identifiers'), payoutCommands, {
    'a payout that the service still shows is moved to another record of its code': [
      '  await refuseUnmoved(ctx, payment, serviceId);\n',
      '',
    ],
  }),
  planted('payout', byTest('workflows/moved-identifiers'), 'src/domain/payout-command-rules.ts', {
    'a payout that reads have shown is called unpaid on the word of an operator': [
      " || (latest.phase === 'known' && latest.wasRead)",
      '',
    ],
  }),
  planted('payout', byDeepExploration, readings, {
    'movement under another identifier that a refused command was shown is forgotten': [
      'owesScan: payout.owesScan || movesElsewhere',
      'owesScan: payout.owesScan',
    ],
  }),
  planted('payout', byDeepExploration, 'src/domain/payout-proofs.ts', {
    'a failure that a read shows outweighs movement under another identifier in the list': [
      'return attempt.listId !== null || (attempt.listFault ?? null) !== null;',
      'return false;',
    ],
  }),
  planted('payout', byDeepExploration, payoutCommands, {
    'a withdrawal after a reset looks for nothing': [
      '  if (ctx.run.afterReset) await findAll(ctx, payment).catch(withdrawnAlone);\n',
      '',
    ],
  }),
];
