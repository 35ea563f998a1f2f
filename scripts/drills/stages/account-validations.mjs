import { accountValidation } from '../requests.mjs';
import { statusIs, waitsToBeSent } from './shown.mjs';

const answered = (mover, code) => mover.set('validations', code, 'valid');
const begun = { lifecycle: 'account_validation', end: 'answered', finish: answered };

export const validationStages = [
  {
    ...{ ...begun, stage: 'request' },
    open: async (mover, code) => {
      mover.holdBack('POST /v1/account/validate', code);
      await mover.payments.startAccountValidation(accountValidation(code));
    },
    shows: waitsToBeSent,
  },
  {
    ...{ ...begun, stage: 'await' },
    open: (mover, code) => mover.post('/v1/account-validations', accountValidation(code)),
    shows: statusIs('awaiting_answer'),
  },
];
