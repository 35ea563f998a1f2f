import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, ivBytes, keyBytes, tagBytes } from '../encryption/aes-256-gcm.js';

const keyOf = (clientSecret: string) =>
  new Uint8Array(hkdfSync('sha256', clientSecret, '', 'durable-payments token seal', keyBytes));

const boundTo = (generation: number) => Buffer.from(`generation ${String(generation)}`);

/** Seals a token for a history: AES-256-GCM under a key of the client_secret, bound to its generation. */
export function sealToken(secret: { clientSecret: string; generation: number; token: string }): string {
  const iv = randomBytes(ivBytes);
  const parameters = { key: keyOf(secret.clientSecret), iv, associatedData: boundTo(secret.generation) };
  const { ciphertext, tag } = encrypt(parameters, Buffer.from(secret.token));
  return Buffer.concat([iv, ciphertext, tag]).toString('base64url');
}

/** The token of a seal; undefined when it was sealed under another client_secret or is damaged. */
export function unsealToken(
  clientSecret: string,
  { generation, sealed }: { generation: number; sealed: string },
): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, ciphertext] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, -tagBytes)];
  const parameters = { key: keyOf(clientSecret), iv, associatedData: boundTo(generation) };
  try {
    return decrypt(parameters, { ciphertext, tag: bytes.subarray(-tagBytes) }).toString('utf8');
  } catch {
    return undefined;
  }
}
