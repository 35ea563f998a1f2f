import { generateKeyPairSync, sign } from 'node:crypto';

const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x17, Buffer.from(text));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('loopback')))));
const subjectAltName = oid('551d11');
const loopbackAddress = der(0x87, Buffer.from([127, 0, 0, 1]));

/** A certificate for 127.0.0.1 that nobody has reason to trust, and its key, in PEM. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    commonName,
    sequence(time('200101000000Z'), time('491231235959Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(loopbackAddress))))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
