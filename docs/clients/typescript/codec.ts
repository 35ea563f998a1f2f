import type { Payload, PayloadCodec } from '@temporalio/common';

type JsonPayload = { metadata?: Record<string, string>; data?: string };

/** Has payloads encrypted and decrypted by a codec endpoint, so that no key is needed here. */
export function remoteCodec(endpoint: string, authorization?: string): PayloadCodec {
  const headers = { 'Content-Type': 'application/json', ...(authorization && { authorization }) };
  const convert = async (verb: string, payloads: Payload[]): Promise<Payload[]> => {
    const body = JSON.stringify({ payloads: payloads.map(toJson) });
    const answer = await fetch(`${endpoint}/${verb}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The codec endpoint answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { payloads: JsonPayload[] }).payloads.map(fromJson);
  };
  return {
    encode: (payloads) => convert('encode', payloads),
    decode: (payloads) => convert('decode', payloads),
  };
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const fields = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  return { metadata: Object.fromEntries(fields), ...(data && { data: base64(data) }) };
}

function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  const fields = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]);
  return { metadata: Object.fromEntries(fields), data: Buffer.from(data, 'base64') };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
