import { createCipheriv, createDecipheriv } from 'node:crypto';

export const keyBytes = 32;
export const ivBytes = 12;
export const tagBytes = 16;

/** A key of 32 bytes and an initialisation vector of 12, which must never encrypt twice under the same key. */
export type CipherParameters = {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  /** Authenticated with the text, and not encrypted. */
  readonly associatedData?: Uint8Array;
};

export type Encrypted = { readonly tag: Uint8Array; readonly ciphertext: Uint8Array };

export function encrypt(
  { key, iv, associatedData = new Uint8Array() }: CipherParameters,
  plaintext: Uint8Array,
): Encrypted {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associatedData);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { tag: cipher.getAuthTag(), ciphertext };
}

/** @throws Error unless exactly this was encrypted under these parameters. */
export function decrypt(
  { key, iv, associatedData = new Uint8Array() }: CipherParameters,
  { tag, ciphertext }: Encrypted,
): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    .setAAD(associatedData)
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
