import { randomBytes, randomInt } from 'node:crypto';
import { passesLuhn } from '../../../src/domain/cards.js';

/** A secret that a test has planted, and the ways in which it would show. */
export type Planted = { readonly name: string; readonly forms: readonly string[] };

/** Words that nobody else would write, so that wherever one is found it was leaked. */
export function plantedWords() {
  return {
    pan: randomPan(),
    // With a leading zero, so that no number of anyone is taken for it.
    cvv: `0${String(randomInt(100, 1_000))}`,
    cpf: randomCpf(),
    email: `customer.${randomBytes(6).toString('hex')}@example.com`,
    pix: `payee.${randomBytes(6).toString('hex')}@example.com`,
    clientSecret: `secret-${randomBytes(16).toString('hex')}`,
  };
}

/** A secret in plain, base64 (wherever it begins within a longer text), hexadecimal and URL-encoded form. */
export function planted(name: string, secret: string): Planted {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), ...base64Parts(bytes)];
  return { name, forms: [...new Set(forms)] };
}

/** A CVV: its few digits are found anywhere, so it counts where it is a text of its own or stands beside its name. */
export function plantedCvv(cvv: string): Planted {
  const forms = [`"${cvv}"`, `\\"${cvv}\\"`, `%22${cvv}%22`, `cvv=${cvv}`, `cvv: '${cvv}'`];
  return { name: 'cvv', forms: [...forms, ...base64Parts(Buffer.from(`"${cvv}"`))] };
}

/** The names of the secrets that are found in it, each with the form it was found in. */
export function findings(content: Buffer | string, secrets: readonly Planted[]): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return secrets.flatMap(({ name, forms }) =>
    forms.filter((form) => bytes.includes(form)).map((form) => `${name} as ${form}`),
  );
}

/** The characters that stand for whole bytes of the secret, for each of the three places where it may begin. */
function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor((whole.length * 8) / 6);
    return [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)];
  });
}

function randomPan(): string {
  const body = `4${String(randomInt(10_000_000, 100_000_000))}${String(randomInt(100_000, 1_000_000))}`;
  const digit = Array.from({ length: 10 }, (_, last) => `${body}${String(last)}`).find(passesLuhn);
  return digit ?? randomPan();
}

function randomCpf(): string {
  const digits = Array.from(String(randomInt(100_000_000, 1_000_000_000)), Number);
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
