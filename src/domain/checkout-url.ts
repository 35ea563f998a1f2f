/** Names under which the address for the customer is looked for first. */
const likelyNames = ['checkout_url', 'payment_url', 'redirect_url', 'hosted_url', 'url', 'link', 'href'];
/** Names of addresses that are not for the customer to pay at. */
const otherNames = /notif|callback|webhook|postback|return|cancel|success|logo|image|icon|terms/i;
const webAddress = /^https?:\/\/[^\s"<>]+$/i;
/** Texts of an answer are kept up to 2,048 characters; one of that length may have been cut. */
const longestUrl = 2_047;
const maxDepth = 6;

/**
 * The address to send the customer to, in an answer of POST /v1/checkout, whose form is not documented: the likely
 * names first, then any web address. Null when there is none.
 *
 * @param notThis addresses of ours that the answer may repeat
 */
export function checkoutUrl(answer: unknown, notThis: readonly string[]): string | null {
  const found = [...addresses(answer, '', 0)].filter(({ url }) => !notThis.includes(url));
  const likely = likelyNames
    .map((name) => found.find((address) => address.name === name))
    .find((address) => address !== undefined);
  return (likely ?? found[0])?.url ?? null;
}

function* addresses(value: unknown, name: string, depth: number): Generator<{ name: string; url: string }> {
  if (typeof value === 'string') {
    if (value.length <= longestUrl && webAddress.test(value) && !otherNames.test(name))
      yield { name, url: value };
    return;
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* addresses(inner, Array.isArray(value) ? name : normalName(key), depth + 1);
  }
}

/** `checkoutUrl`, `Checkout-URL` and `checkout_url` are one name. */
function normalName(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}
