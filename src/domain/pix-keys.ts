import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidPhone } from '@brazilian-utils/brazilian-utils/is-valid-phone';
import { mayHoldPan } from './cards.js';
import { payeeFaults, payeeForms } from './payee-forms.js';
import { withoutOuterBlanks } from './plain-text.js';
import { identifierKey } from './service-ids.js';
import { isCpf, isTaxId } from './tax-ids.js';

type PixKey = { key: string; fault?: undefined } | { key?: undefined; fault: string };

const randomKey = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestEmail = 77;
/** Eleven digits, alone or grouped as a CPF is. */
const cpfForm = /^\d{3}[ .]?\d{3}[ .]?\d{3}[ -]?\d{2}$/;
/** A mobile phone with its country code, or grouped as one: never as a CPF or CNPJ is. */
const phoneForm = /^(?:\+?55[ .-]?)?(?:\(\d\d\)|\d\d)[ .-]{0,2}\d[ .]?\d{4}[ .-]?\d{4}$/;

/**
 * A pix key as the registry of keys (DICT) has it, and what is wrong with one that names no account for sure: eleven digits
 * alone are a CPF, and a phone has its country code or is grouped as one.
 */
export function readPixKey(written: string): PixKey {
  const text = withoutOuterBlanks(written);
  if (randomKey.test(text)) return { key: identifierKey(text) };
  if (text.includes('@')) return emailKey(text.toLowerCase());
  if (isTaxId(text)) return { key: text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase() };
  if (cpfForm.test(text)) return { fault: payeeFaults.pix_digits };
  return phoneForm.test(text) ? phoneKey(text) : { fault: payeeFaults.pix };
}

/** Whether a CPF could be meant as a mobile phone without its country code. */
export function mayBePhone(key: string): boolean {
  return isCpf(key) && isMobile(key);
}

function emailKey(email: string): PixKey {
  if (email.length > longestEmail || !payeeForms.email.test(email)) return { fault: payeeFaults.pix };
  return mayHoldPan(email) ? { fault: payeeFaults.card } : { key: email };
}

function phoneKey(text: string): PixKey {
  const digits = text.replaceAll(/\D/g, '');
  const hasCountry = text.startsWith('+') || digits.length === 13;
  const national = hasCountry ? digits.slice(2) : digits;
  if (!isMobile(national) || (hasCountry && !digits.startsWith('55'))) return { fault: payeeFaults.pix };
  // A spreadsheet takes the zero from the beginning of a CNPJ.
  const isCutCnpj = !/[+(]/.test(text) && isValidCnpj(`0${digits}`);
  return isCutCnpj ? { fault: payeeFaults.pix_digits } : { key: `+55${national}` };
}

function isMobile(national: string): boolean {
  return national.length === 11 && isValidPhone(national, { accept: ['mobile'] });
}
