import { pixPayout, transferPayout } from '../requests.mjs';
import { asksForFinding, statusIs, waitsToBeSent } from './shown.mjs';

const reason = 'drill';
const endpoint = 'POST /v1/payout/pix';
const begun = { lifecycle: 'payout', end: 'done' };
const start = (mover, code, options) => mover.post('/v1/payouts/pix', pixPayout(code, options));
const startSteady = (mover, code) => mover.payments.startPayout({ method: 'pix', ...pixPayout(code) });
const paid = (mover, code) => mover.set('payouts', code, 'done');

async function retried(mover, code) {
  const corrections = { pix: 'right@example.com' };
  await mover.post(`/v1/payouts/${code}/retry`, { reason, corrections });
  await paid(mover, `${code}-r2`);
}

export const payoutStages = [
  {
    ...{ ...begun, stage: 'validate' },
    open: (mover, code) =>
      mover.post('/v1/payouts/transfer', transferPayout(code, { validate_account: true })),
    shows: ({ awaiting }) => awaiting.startsWith('an answer by postback'),
    finish: async (mover, code) => {
      await mover.set('validations', code, 'valid');
      await paid(mover, code);
    },
  },
  {
    ...{ ...begun, stage: 'submit' },
    open: async (mover, code) => {
      mover.holdBack(endpoint, code);
      await startSteady(mover, code);
    },
    shows: waitsToBeSent,
    finish: paid,
  },
  {
    ...{ ...begun, stage: 'verify' },
    open: async (mover, code) => {
      mover.hangOnce(endpoint, code);
      await startSteady(mover, code);
    },
    shows: ({ awaiting }) => awaiting === 'the next scan for the submission',
    finish: paid,
  },
  {
    ...{ ...begun, stage: 'resolve' },
    open: async (mover, code) => {
      mover.failOnce(endpoint, code, 'none');
      await start(mover, code);
    },
    shows: statusIs('submission_unknown'),
    finish: async (mover, code) => {
      await mover.post(`/v1/payouts/${code}/resolve`, { nothing_happened: true, reason });
      await retried(mover, code);
    },
  },
  {
    ...{ ...begun, stage: 'find' },
    open: async (mover, code) => {
      mover.answerOnce(endpoint, code, { id: '9'.repeat(12), status: 'claimed' });
      await start(mover, code, { tags: ['unlisted'] });
    },
    shows: asksForFinding,
    finish: async (mover, code) => {
      await mover.post(`/v1/payouts/${code}/resolve`, { service_id: mover.idOf('payouts', code), reason });
      await paid(mover, code);
    },
  },
  { ...begun, stage: 'follow', open: start, shows: statusIs('claimed'), finish: paid },
  {
    ...{ ...begun, stage: 'decide', why: 'failed at the service' },
    open: async (mover, code) => {
      await start(mover, code);
      await mover.set('payouts', code, 'error');
    },
    shows: statusIs('error'),
    finish: retried,
  },
  {
    ...{ ...begun, stage: 'decide', why: 'refused' },
    open: (mover, code) => start(mover, code, { tags: ['422'] }),
    shows: statusIs('rejected'),
    finish: retried,
  },
  {
    ...{ ...begun, stage: 'watch' },
    open: async (mover, code) => {
      await start(mover, code);
      await paid(mover, code);
    },
    shows: statusIs('done'),
  },
];
