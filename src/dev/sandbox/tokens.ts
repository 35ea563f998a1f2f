import { randomBytes } from 'node:crypto';
import { ServiceError } from './service-error.js';

const unauthorized = (message: string) => new ServiceError(401, 'unauthorized', message);

export type CurrentToken = { readonly token: string; readonly expiresAtMs: number };

/** Bearer tokens. The worst case for a fleet: a new token ends the previous one. */
export class Tokens {
  readonly #basic: string;
  readonly #lifeMs: number;
  #current: CurrentToken | undefined;

  constructor(clientId: string, clientSecret: string, lifeMs: number) {
    this.#basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    this.#lifeMs = lifeMs;
  }

  issue(authorization: string | undefined): string {
    if (authorization !== this.#basic) throw unauthorized('The client id or the client secret is wrong.');
    const token = randomBytes(24).toString('base64url');
    this.#current = { token, expiresAtMs: Date.now() + this.#lifeMs };
    return token;
  }

  check(authorization: string | undefined): void {
    if (!authorization?.startsWith('Bearer ')) throw unauthorized('The Bearer token is missing.');
    if (this.#current === undefined || authorization !== `Bearer ${this.#current.token}`)
      throw unauthorized('The token is not the current one.');
    if (Date.now() >= this.#current.expiresAtMs) throw unauthorized('The token has expired.');
  }

  /** The current token as a later run takes it over. */
  snapshot(): CurrentToken | null {
    return this.#current ?? null;
  }

  restore(token: CurrentToken | null): void {
    this.#current = token ?? undefined;
  }

  /** The current token stops working, as if its life had ended. */
  expire(): void {
    this.#current = undefined;
  }
}
