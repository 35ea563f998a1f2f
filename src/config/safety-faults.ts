import { holdsKey } from '../temporal/key-ring.js';
import type { TemporalTarget } from '../temporal/connection.js';
import type { Environment } from './environment.js';
import { isLoopback, keyRing } from './values.js';

/** Whoever is given the keys of postback addresses must not read payments with them. */
export function sharedKeyFaults({ values }: Environment): string[] {
  const [payload, postback] = [values.PAYLOAD_KEYS, values.POSTBACK_KEYS].map((text) =>
    keyRing.safeParse(text),
  );
  if (payload?.success !== true || postback?.success !== true) return [];
  return [...postback.data.byId.values()]
    .filter((key) => holdsKey(payload.data.byId.values(), key))
    .map(
      ({ id }) =>
        `POSTBACK_KEYS has in ${id} a key that PAYLOAD_KEYS has too. Use a key for one purpose: make another for it.`,
    );
}

/** Payments, and the API key of Temporal Cloud, must not cross a network in plaintext. */
export function plaintextFaults({ values }: Environment, { connectionOptions }: TemporalTarget): string[] {
  const { address = '', tls } = connectionOptions;
  const encrypted = tls !== undefined && tls !== null && tls !== false;
  if (encrypted || values.TEMPORAL_PLAINTEXT === 'true' || isOnLoopback(address)) return [];
  return [
    `Temporal at ${address} would be reached without TLS. Set TEMPORAL_TLS=true or name certificates by Temporal's ` +
      'own TEMPORAL_TLS_… variables; or, in a network that only payments are in, TEMPORAL_PLAINTEXT=true.',
  ];
}

/** Whoever reaches the development server's ports starts payments: no real money may depend on it. */
export function embeddedFaults({ values }: Environment): string[] {
  const { PAYMENTS_BASE_URL: baseUrl } = values;
  if (baseUrl === undefined || !URL.canParse(baseUrl) || isLoopback(baseUrl)) return [];
  return [
    'PAYMENTS_BASE_URL is not on this machine, but TEMPORAL_ADDRESS is not set: the embedded Temporal is for ' +
      'development and moves no real money. Set TEMPORAL_ADDRESS to a Temporal of your own.',
  ];
}

function isOnLoopback(address: string): boolean {
  const url = `http://${address}`;
  return URL.canParse(url) && isLoopback(url);
}
