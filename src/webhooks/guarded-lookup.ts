import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Finds the addresses of a host, as the system does. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** A host led to an address that is not to be called. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  constructor() {
    super(
      'Its name leads to an address that may not be called: it is private, of this machine, or reserved.',
    );
  }
}

/**
 * A lookup for connections: the addresses are found once, each is checked, and the connection goes to one of them. So a
 * name that leads elsewhere a moment later leads nowhere. One bad address spoils them all.
 */
export function guardedLookup(resolve: ResolveHost, permits: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, done) => {
    void resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => permits(address))) {
          done(new AddressRefusedError(), []);
        } else if (all === true) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error('The name could not be resolved.'), []);
      },
    );
  };
}
