import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { payeeForms } from './payee-forms.js';

/** Whether it is a CPF with its check digits, with or without punctuation. */
export function isCpf(document: string): boolean {
  return payeeForms.document.test(document) && isValidCpf(document);
}

/** Whether it is a CPF or a CNPJ (numeric or alphanumeric) with its check digits, with or without punctuation. */
export function isTaxId(document: string): boolean {
  return (
    payeeForms.document.test(document) && (isValidCpf(document) || isValidCnpj(document, { version: 2 }))
  );
}
