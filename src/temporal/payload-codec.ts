/* eslint-disable @typescript-eslint/require-await -- the SDK's interface is async: what is thrown becomes a rejection */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { decrypt, encrypt, ivBytes, keyBytes, tagBytes } from '../encryption/aes-256-gcm.js';
import type { KeyRing, NamedKey } from './key-ring.js';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

const ENCODING = Buffer.from('binary/encrypted');
const SALT_BYTES = 32;
const PURPOSE = 'durable-payments payload';

/** Data that can't be read with the keys at hand: the key is missing, or the data was changed. */
export class PayloadDecryptionError extends Error {
  override readonly name = 'PayloadDecryptionError';

  /** @param fault what is wrong with it, as the rest of a sentence about it */
  constructor(
    readonly fault: string,
    action = '',
  ) {
    super(`This payload ${fault}.${action}`);
  }
}

/** The key that a payload was encrypted under, in the form that PAYLOAD_KEYS takes, whatever stands there; null of plaintext. */
export function keyIdOf({ metadata }: Payload): string | null {
  if (!ENCODING.equals(metadata?.encoding ?? new Uint8Array())) return null;
  const id = Buffer.from(metadata?.['encryption-key-id'] ?? []).toString();
  // Without quotes, for logs leave out quotations.
  return id.slice(0, 64).replaceAll(/[^A-Za-z0-9._-]/g, '?');
}

/** The key under which these codecs encrypt; null where they write plaintext. */
export function currentKeyId(codecs: readonly PayloadCodec[]): string | null {
  return codecs.find((codec) => codec instanceof EncryptionCodec)?.keys.current.id ?? null;
}

/**
 * Encrypts each payload whole (its metadata too) with AES-256-GCM, under a key of its own that is derived from the
 * ring's first key, and decrypts with whichever key made it: no number of payloads wears a key out. Payloads that
 * nobody encrypted pass through, for operators and other SDKs send such.
 */
export class EncryptionCodec implements PayloadCodec {
  constructor(readonly keys: KeyRing) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => encryptPayload(payload, this.keys.current));
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      const keyId = keyIdOf(payload);
      return keyId === null ? payload : this.open(payload, keyId);
    });
  }

  private open(payload: Payload, keyId: string): Payload {
    const key = this.keys.byId.get(keyId);
    if (key === undefined) {
      throw new PayloadDecryptionError(
        `was encrypted with the key ${keyId}, which PAYLOAD_KEYS does not hold`,
        ' Add that key at the end of PAYLOAD_KEYS and restart: meanwhile payments wait, and Signals are dropped.',
      );
    }
    return decryptPayload(payload, key);
  }
}

function encryptPayload(payload: Payload, key: NamedKey): Payload {
  const salt = randomBytes(SALT_BYTES);
  const { tag, ciphertext } = encrypt(derive(key, salt), PayloadMessage.encode(payload).finish());
  return {
    metadata: { encoding: ENCODING, 'encryption-key-id': Buffer.from(key.id) },
    data: Buffer.concat([salt, tag, ciphertext]),
  };
}

function decryptPayload(payload: Payload, key: NamedKey): Payload {
  const data = Buffer.from(payload.data ?? []);
  const [salt, sealed] = [data.subarray(0, SALT_BYTES), data.subarray(SALT_BYTES)];
  const encrypted = { tag: sealed.subarray(0, tagBytes), ciphertext: sealed.subarray(tagBytes) };
  try {
    return PayloadMessage.decode(decrypt(derive(key, salt), encrypted));
  } catch {
    throw new PayloadDecryptionError(
      `names the key ${key.id} but does not open with it: the key's bytes in PAYLOAD_KEYS differ ` +
        'from those that encrypted it, or the data was changed',
    );
  }
}

/** HKDF-SHA256. The key and its initialisation vector are used for one payload only, so both may come from the salt. */
function derive({ bytes }: NamedKey, salt: Buffer): { key: Buffer; iv: Buffer } {
  const derived = Buffer.from(hkdfSync('sha256', bytes, salt, PURPOSE, keyBytes + ivBytes));
  return { key: derived.subarray(0, keyBytes), iv: derived.subarray(keyBytes) };
}
