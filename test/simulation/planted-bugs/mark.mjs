import { byTest, planted } from './bug.mjs';

const sendOnce = 'activities/shared/send-once.ts';
const byMarkTest = byTest('activities/sending-mark');
const awaited = 'refusal() ?? (await deps.markSending(info.taskToken))';

/** The mark that a creating call sets right before its first byte, and what is made of it. */
export const bugsOfTheMark = [
  planted('payout', byMarkTest, sendOnce, {
    'the mark is not awaited': [awaited, '(void deps.markSending(info.taskToken), refusal())'],
    'the mark is written after the first byte': [
      awaited,
      '(setTimeout(() => void deps.markSending(info.taskToken), 50), refusal())',
    ],
  }),
  planted('refund', byMarkTest, 'activities/request-refund.ts', {
    'one endpoint sets no mark': [
      'sendOnce(deps, request, {',
      'sendOnce({ ...deps, markSending: () => Promise.resolve(undefined) }, request, {',
    ],
  }),
  planted('payout', 3_000, 'src/domain/submission.ts', {
    'the mark is read the wrong way round': [
      'called.heartbeat === undefined && isFirstDispatch',
      'called.heartbeat !== undefined && isFirstDispatch',
    ],
  }),
];
