import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { KeyRingError, parseKeyRing } from '../../src/temporal/key-ring.js';
import { EncryptionCodec } from '../../src/temporal/payload-codec.js';

const keyText = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown =>
  payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);

describe('payload encryption', () => {
  const first = keyText('k1');
  const second = keyText('k2');

  test('a payload comes back as it was, and neither its data nor its encoding can be seen meanwhile', async () => {
    const codec = new EncryptionCodec(parseKeyRing(first));
    const [sealed] = await codec.encode([payloadOf({ document: '529.982.247-25' })]);

    const visible =
      Buffer.from(JSON.stringify(sealed)).toString() + Buffer.from(sealed?.data ?? []).toString('latin1');
    expect(visible).not.toContain('529.982.247-25');
    expect(visible).not.toContain('json/plain');
    expect(Buffer.from(sealed?.metadata?.encoding ?? []).toString()).toBe('binary/encrypted');
    expect(Buffer.from(sealed?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k1');

    const [opened] = await codec.decode(sealed === undefined ? [] : [sealed]);
    expect(valueOf(opened)).toEqual({ document: '529.982.247-25' });
  });

  test('the same value never looks the same twice', async () => {
    const codec = new EncryptionCodec(parseKeyRing(first));
    const [one, other] = await codec.encode([payloadOf('done'), payloadOf('done')]);
    expect(one?.data).not.toEqual(other?.data);
  });

  test('each payload has a key of its own, by HKDF-SHA256 from a random salt, so that no nonce can meet itself', async () => {
    const ring = parseKeyRing(first);
    const sealed = await new EncryptionCodec(ring).encode(
      Array.from({ length: 100 }, () => payloadOf('done')),
    );
    const salts = sealed.map(({ data }) => Buffer.from(data ?? []).subarray(0, 32));
    expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(100);

    const data = Buffer.from(sealed[0]?.data ?? []);
    const derived = Buffer.from(
      hkdfSync('sha256', ring.current.bytes, data.subarray(0, 32), 'durable-payments payload', 44),
    );
    const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32));
    decipher.setAuthTag(data.subarray(32, 48));
    const opened = Buffer.concat([decipher.update(data.subarray(48)), decipher.final()]);
    expect(opened.toString()).toContain('"done"');
  });

  test('after a rotation the new first key encrypts and the old one still decrypts', async () => {
    const before = await new EncryptionCodec(parseKeyRing(first)).encode([payloadOf(1)]);
    const rotated = new EncryptionCodec(parseKeyRing(`${second},${first}`));

    const [opened] = await rotated.decode(before);
    expect(valueOf(opened)).toBe(1);

    const [sealed] = await rotated.encode([payloadOf(2)]);
    expect(Buffer.from(sealed?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k2');
  });

  test('what nobody encrypted passes through', async () => {
    const plain = payloadOf({ attempt: 1 });
    expect(await new EncryptionCodec(parseKeyRing(first)).decode([plain])).toEqual([plain]);
  });

  test('a payload under a key that is gone is refused by that key’s name', async () => {
    const sealed = await new EncryptionCodec(parseKeyRing(first)).encode([payloadOf(1)]);
    await expect(new EncryptionCodec(parseKeyRing(second)).decode(sealed)).rejects.toThrow(
      /key k1, which PAYLOAD_KEYS/,
    );
  });

  test('a payload that was changed, or whose key differs under the same name, is refused', async () => {
    const codec = new EncryptionCodec(parseKeyRing(first));
    const [sealed] = await codec.encode([payloadOf(1)]);
    const data = Buffer.from(sealed?.data ?? []);
    data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1;

    await expect(codec.decode([{ ...sealed, data }])).rejects.toThrow(/does not open/);
    await expect(codec.decode([{ ...sealed, data: data.subarray(0, 5) }])).rejects.toThrow(/does not open/);
    const namesake = new EncryptionCodec(parseKeyRing(keyText('k1')));
    await expect(namesake.decode(sealed === undefined ? [] : [sealed])).rejects.toThrow(/does not open/);
  });
});

describe('a list of keys', () => {
  test('is separated by commas or lines, the first being the current one', () => {
    const ring = parseKeyRing(`${keyText('new')}\n ${keyText('old')},`);
    expect(ring.current.id).toBe('new');
    expect([...ring.byId.keys()]).toEqual(['new', 'old']);
  });

  test.each([
    ['an empty list', '', /no key/],
    ['a key that is too short', 'k1:c2hvcnQ=', /entry 1.*32 bytes/],
    ['a key without a name', randomBytes(32).toString('base64'), /entry 1/],
    ['a name used twice', `${keyText('k1')},${keyText('k1')}`, /"k1" appears twice/],
  ])('%s is refused', (_name, text, message) => {
    expect(() => parseKeyRing(text)).toThrow(KeyRingError);
    expect(() => parseKeyRing(text)).toThrow(message);
  });

  test('a refusal never repeats the key', () => {
    expect(() => parseKeyRing('k1:bm90LTMyLWJ5dGVz')).toThrow(/^((?!bm90).)*$/s);
  });
});
