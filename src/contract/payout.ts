import { z } from 'zod';
import { mayHoldPan } from '../domain/cards.js';
import { payeeFaults, payeeForms, payeeTextLengths } from '../domain/payee-forms.js';
import { failureCauses } from '../domain/payout-attempts.js';
import {
  amount,
  email,
  partnerCode,
  phone,
  pixKey,
  pollScale,
  reconciled,
  taxId,
  text,
  trimmed,
  watchDays,
} from './fields.js';
import { notify } from './notify.js';

/** Why a payout failed. */
export const failureCause = z.enum(failureCauses, `must be one of ${failureCauses.join(', ')}`);

const payee = {
  kind: text(payeeTextLengths.kind).optional(),
  first_name: text(payeeTextLengths.first_name),
  last_name: text(payeeTextLengths.last_name),
  document: taxId,
  email: email.optional(),
  phone: phone.optional(),
};

export const bankDetails = {
  bank_code: trimmed().regex(payeeForms.bank_code, payeeFaults.bank_code),
  agency: trimmed().regex(payeeForms.agency, payeeFaults.agency),
  account: trimmed()
    .regex(payeeForms.account, { error: payeeFaults.account, abort: true })
    .refine((value) => !mayHoldPan(value), 'looks like a card number: nothing is paid out to a card'),
  account_type: text(payeeTextLengths.account_type),
};

const common = {
  partner_code: partnerCode('payout'),
  ...payee,
  value: amount,
  fee_payer: text(32).optional(),
  notify: notify.optional(),
  watch_days: watchDays,
  /** Not sent after this moment (ISO 8601, with an offset or Z). */
  send_before: z.iso.datetime({ offset: true }).optional(),
};

/** The body of POST /v1/payouts/pix: the service's `POST /v1/payout/pix` without notification_url. */
export const pixPayoutBody = z.strictObject({ ...common, pix: pixKey });

/** The body of POST /v1/payouts/transfer: the service's `POST /v1/payout/transfer` without notification_url. */
export const transferPayoutBody = z.strictObject({
  ...common,
  ...bankDetails,
  /** Have the account validated first (`POST /v1/account/validate`); sent only on a clearly favourable answer. */
  validate_account: z.boolean().optional(),
});

/** What the workflow `payout` starts from: the service's own fields, and by which of the two ways. */
export const payoutInput = z.discriminatedUnion('method', [
  pixPayoutBody.extend({ method: z.literal('pix'), poll_scale: pollScale, reconciled }),
  transferPayoutBody.extend({ method: z.literal('transfer'), poll_scale: pollScale, reconciled }),
]);

export type PayoutInput = z.infer<typeof payoutInput>;

/** What a further attempt of a payout may change: who is paid and where, never how much. */
export const payoutCorrections = z.strictObject({
  ...payee,
  first_name: payee.first_name.optional(),
  last_name: payee.last_name.optional(),
  document: payee.document.optional(),
  pix: pixKey.optional(),
  bank_code: bankDetails.bank_code.optional(),
  agency: bankDetails.agency.optional(),
  account: bankDetails.account.optional(),
  account_type: bankDetails.account_type.optional(),
});

export type PayoutCorrections = z.infer<typeof payoutCorrections>;
