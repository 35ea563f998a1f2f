import { z } from 'zod';
import { mayHoldPan } from '../domain/cards.js';
import { accountWithDigit, payeeFaults, payeeForms, payeeTextLengths } from '../domain/payee-forms.js';
import { failureCauses } from '../domain/payout-attempts.js';
import { mayBePhone } from '../domain/pix-keys.js';
import { isCpf } from '../domain/tax-ids.js';
import {
  amount,
  email,
  moment,
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

/** Who is paid. A company has one name alone. */
export const payeeName = {
  first_name: text(payeeTextLengths.first_name),
  last_name: text(payeeTextLengths.last_name).optional().describe('A company (CNPJ) may have none'),
  document: taxId,
};

const payee = {
  kind: text(payeeTextLengths.kind).optional(),
  ...payeeName,
  email: email.optional(),
  phone: phone.optional(),
};

export const bankDetails = {
  bank_code: trimmed().regex(payeeForms.bank_code, payeeFaults.bank_code),
  agency: trimmed().regex(payeeForms.agency, payeeFaults.agency),
  account: trimmed()
    .regex(payeeForms.account, { error: payeeFaults.account, abort: true })
    .refine((value) => accountWithDigit.test(value) || !mayHoldPan(value), payeeFaults.account_card),
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
  send_before: moment.optional(),
};

type Payee = { document: string; last_name?: string | undefined; pix?: string };

/** What the fields of a payee say of each other. */
export function checkPayee({ document, last_name, pix }: Payee, context: z.RefinementCtx): void {
  const fault = (field: string, message: string) => {
    context.addIssue({ code: 'custom', path: [field], message });
  };
  if (last_name === undefined && isCpf(document)) fault('last_name', payeeFaults.last_name);
  const isPayee = isCpf(document) && document.replaceAll(/\D/g, '') === pix;
  if (pix !== undefined && !isPayee && mayBePhone(pix)) fault('pix', payeeFaults.pix_phone);
}

/** The body of POST /v1/payouts/pix: the service's `POST /v1/payout/pix` without notification_url. */
export const pixPayoutBody = z.strictObject({ ...common, pix: pixKey }).superRefine(checkPayee);

/** The body of POST /v1/payouts/transfer: the service's `POST /v1/payout/transfer` without notification_url. */
export const transferPayoutBody = z
  .strictObject({
    ...common,
    ...bankDetails,
    /** Have the account validated first (`POST /v1/account/validate`); sent only on a clearly favourable answer. */
    validate_account: z.boolean().optional(),
  })
  .superRefine(checkPayee);

/** What the workflow `payout` starts from: the service's own fields, and by which of the two ways. */
export const payoutInput = z.discriminatedUnion('method', [
  pixPayoutBody.safeExtend({ method: z.literal('pix'), poll_scale: pollScale, reconciled }),
  transferPayoutBody.safeExtend({ method: z.literal('transfer'), poll_scale: pollScale, reconciled }),
]);

export type PayoutInput = z.infer<typeof payoutInput>;

/** What a further attempt of a payout may change: who is paid and where, never how much. */
export const payoutCorrections = z.strictObject({
  ...payee,
  first_name: payee.first_name.optional(),
  document: payee.document.optional(),
  pix: pixKey.optional(),
  bank_code: bankDetails.bank_code.optional(),
  agency: bankDetails.agency.optional(),
  account: bankDetails.account.optional(),
  account_type: bankDetails.account_type.optional(),
});

export type PayoutCorrections = z.infer<typeof payoutCorrections>;
