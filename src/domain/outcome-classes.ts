/** What is known about a call to the service after it ended, and so what may follow. */
export type OutcomeClass = 'not_sent' | 'refused' | 'unauthorized' | 'throttled' | 'unknown';

/** Statuses by which the service states that it understood the request and did nothing. */
const refusals: readonly number[] = [400, 404, 405, 413, 415, 422, 501];

/**
 * The class of an HTTP status that is no success. Everything not listed is unknown: it may have happened. So is a refusal
 * of what is there already, for it may be this very call that has made it.
 *
 * @param tokenIsNew the token was issued after the service rejected the one before, so a further 401 or 403
 * speaks of the request and not of the token.
 */
export function classOfHttpStatus(status: number, tokenIsNew: boolean, words = ''): OutcomeClass {
  // Their words speak of the token, which "has already expired".
  if (status === 401 || status === 403) return tokenIsNew ? 'refused' : 'unauthorized';
  if (status >= 400 && status < 500 && saysItExists(words)) return 'unknown';
  if (status === 429) return 'throttled';
  return refusals.includes(status) ? 'refused' : 'unknown';
}

/** A letter that was lost, as that of Latin-1 read as UTF-8, may be the accented one. */
const exists =
  /taken|exist|already|(?<!ref|rec|ac|ca|pa|ab|conf|am|exc|foc|ho)us(?:ed|ad)|utilizad|process(?:ed|ad[oa])[\s_-](?:before|antes)|previously|anterior|duplic|repeated|repetid|unique|(?<!\p{L})[uú\ufffd]nic[oa]|in use|em uso|(?<!\p{L})j[aá\ufffd](?!\p{L})/iu;
/** Of a code or a payment: that of a key or an account says that the payee is wrong. */
const isRegistered =
  /(?:c[oó\ufffd]digo|code|pedido|order|pag(?:amento|to)|payment|payout|transa[cç\ufffd]|transfer|refer[eê\ufffd]n)[^.:;]{0,32}?(?:registered|registrad|cadastrad)/iu;
/** Something that does not exist or is not registered, and a limit that is used up, speak of no payment. */
const existsNot =
  /(?<!must[\s_-])(?:not|n['’]t|n[aã\ufffd]o)[\s_-](?:(?:yet|been|is|[eé\ufffd]|est[aá\ufffd]|foi|mais)[\s_-]){0,2}(?:exist|regist|cadastr)\p{L}*|(?:non-?|in)exist\p{L}*|unregist\p{L}*|used[\s_-]up/giu;

/** Whether a refusal says, in English or Portuguese, that there is such a payment. */
function saysItExists(words: string): boolean {
  const said = words.replaceAll(existsNot, '');
  return exists.test(said) || isRegistered.test(said);
}

/** What a deployment takes a 429 for that answers the creation of something no list shows. */
export type AfterThrottling = 'send_again' | 'unknown';

/**
 * The class of the creation of something that no list shows, by that of its answer: what can't be looked up is made
 * again only where something beside the status says that nothing was done.
 *
 * @param tokenIsRefused a read with the same token was answered 401 as well
 */
export function classUnlisted(
  { outcome, httpStatus = null }: { outcome: OutcomeClass; httpStatus?: number | null },
  { tokenIsRefused, after429 }: { tokenIsRefused: boolean; after429: AfterThrottling },
): OutcomeClass {
  if (httpStatus === 403) return 'unknown';
  if (httpStatus === 401) return tokenIsRefused ? 'unauthorized' : 'unknown';
  return outcome === 'throttled' && after429 === 'unknown' ? 'unknown' : outcome;
}

/** Whether by its class the call did nothing, so that a card may be used for it again. */
export function provesNothingHappened(outcome: OutcomeClass): boolean {
  return outcome === 'not_sent' || outcome === 'unauthorized' || outcome === 'throttled';
}
