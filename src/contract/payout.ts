import { z } from 'zod';
import { mayHoldPan } from '../domain/cards.js';
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
  watchDays,
} from './fields.js';
import { notify } from './notify.js';

const payee = {
  kind: text(32).optional(),
  first_name: text(64),
  last_name: text(64),
  document: taxId,
  email: email.optional(),
  phone: phone.optional(),
};

export const bankDetails = {
  bank_code: z.string().regex(/^\d{3,8}$/, 'must be a bank code of 3 to 8 digits'),
  agency: z.string().regex(/^[\dXx-]{1,10}$/, 'must be an agency number'),
  account: z
    .string()
    .regex(/^[\dA-Za-z.+@-]{1,64}$/, 'must be an account number')
    .refine((value) => !mayHoldPan(value), 'looks like a card number: nothing is paid out to a card'),
  account_type: text(32),
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
