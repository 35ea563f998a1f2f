import { withoutPans } from './cards.js';

/** An identifier of the service as it is taken and kept: visible ASCII, and no step in a path. It may be a long number. */
export const serviceIdPattern = /^(?!\.{1,2}$)[\x21-\x7e]{1,128}$/;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The spelling by which an identifier of the service is compared, searched and named. A UUID is the same in capitals and in small
 * letters; any other identifier is as it is written. Calls use the spelling that the service gave.
 */
export function identifierKey(id: string): string {
  return uuid.test(id) ? id.toLowerCase() : id;
}

/** Whether two identifiers are one; null is none. */
export function isSameIdentifier(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && identifierKey(one) === identifierKey(other));
}

/** A partner_code or an identifier that may be anybody's: what could be a card number is taken out. */
export function withoutCard(code: string | null): string | null {
  return code === null ? null : withoutPans(code);
}

/** The spellings that a search has to name: Temporal compares letter by letter. */
export function spellingsOf(id: string): string[] {
  return uuid.test(id) ? [...new Set([id, id.toLowerCase(), id.toUpperCase()])] : [id];
}
