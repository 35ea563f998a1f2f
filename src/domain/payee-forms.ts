/** How what names a payee's account is written; check digits are not counted here. */
export const payeeForms = {
  document: /^[0-9A-Za-z./ -]{11,20}$/,
  email:
    /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/,
  phone: /^\+?[0-9 ().-]{8,24}$/,
  bank_code: /^[0-9]{3,8}$/,
  agency: /^[0-9Xx-]{1,10}$/,
  account: /^[0-9A-Za-z.+@-]{1,64}$/,
} as const;

/** What is said of a value that is not written so, or whose check digits are wrong. */
export const payeeFaults = {
  document: 'must be a valid CPF or CNPJ',
  email: 'must be an e-mail address',
  phone: 'must be a phone number with country code, of digits, spaces and + ( ) . -',
  bank_code: 'must be a bank code of 3 to 8 digits',
  agency: 'must be an agency number',
  account: 'must be an account number',
  pix: 'must be a pix key: a CPF, CNPJ, e-mail, phone or random key',
} as const;

/** How long the texts about a payee may be. */
export const payeeTextLengths = { kind: 32, first_name: 64, last_name: 64, account_type: 32 } as const;
