/** How what names a payee's account is written; check digits are not counted here. */
export const payeeForms = {
  document: /^[0-9A-Za-z./ -]{11,20}$/,
  /** As the registry of pix keys (DICT) has them, which also takes marks and dots anywhere before the @. */
  email:
    /^[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
  phone: /^\+?[0-9 ().-]{8,24}$/,
  bank_code: /^[0-9]{3,8}$/,
  /** Its check digit may be a letter. */
  agency: /^[0-9]{1,9}(?:-?[0-9XxPp])?$/,
  /** Not in the form that a spreadsheet gives to a long number. */
  account: /^(?!\d(?:\.\d+)?[Ee]\+\d+$)[0-9A-Za-z.+@-]{1,64}$/,
} as const;

/**
 * An account number whose check digit stands behind a dash, as no card number is written; those of Caixa have 16 digits before
 * it, of which the first four name the product, such as 3701.
 */
export const accountWithDigit = /^(?:[0-9]{1,15}|37[0-9]{2}\.?0[0-9]{11})-[0-9XxPp]$/;

const card = 'looks like a card number';

/** What is said of a value that is not written so, or whose check digits are wrong. */
export const payeeFaults = {
  document: 'must be a valid CPF or CNPJ',
  email: 'must be an e-mail address',
  phone: 'must be a phone number with country code, of digits, spaces and + ( ) . -',
  bank_code: 'must be a bank code of 3 to 8 digits',
  agency: 'must be an agency number',
  account: 'must be an account number',
  account_card: `${card}: nothing is paid out to a card; write an account number with a dash before its check digit`,
  card: `${card}, which may stand only in credit_card.number`,
  pix: 'must be a pix key: a CPF, CNPJ, e-mail, mobile phone with country code (+55), or random key',
  pix_digits:
    'must be a pix key: digits alone are read as a CPF or CNPJ, and this is none; write a phone with its country code (+55)',
  pix_phone:
    'is a CPF that could be a phone, and not the document of the payee: write a phone with its country code (+55)',
  last_name: 'must be given; only a company (CNPJ) has none',
} as const;

/** How long the texts about a payee may be. */
export const payeeTextLengths = { kind: 32, first_name: 64, last_name: 64, account_type: 32 } as const;
