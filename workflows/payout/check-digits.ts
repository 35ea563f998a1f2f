import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { isValidPixKey } from '@brazilian-utils/brazilian-utils/is-valid-pix-key';
import type { CheckDigits } from '../../src/domain/payout-corrections.js';

/** The check digits of a payee's tax id and pix key. One function a file: the whole library is not for the bundle. */
export const checkDigits: CheckDigits = {
  document: (value) => isValidCpf(value) || isValidCnpj(value, { version: 2 }),
  pix: (value) => isValidPixKey(value),
};
