import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

const keyOf = (clientSecret: string) =>
  new Uint8Array(hkdfSync('sha256', clientSecret, '', 'durable-payments token seal', 32));

const boundTo = (generation: number) => Buffer.from(`generation ${String(generation)}`);

/** Seals a token for a history: AES-256-GCM under a key of the client_secret, bound to its generation. */
export function sealToken(secret: { clientSecret: string; generation: number; token: string }): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret.clientSecret), nonce);
  cipher.setAAD(boundTo(secret.generation));
  const sealed = Buffer.concat([cipher.update(secret.token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** The token of a seal; undefined when it was sealed under another client_secret or is damaged. */
export function unsealToken(
  clientSecret: string,
  { generation, sealed }: { generation: number; sealed: string },
): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(clientSecret), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(boundTo(generation));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const opened = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    return undefined;
  }
}
