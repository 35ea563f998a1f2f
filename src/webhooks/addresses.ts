import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What may be reached at an address; `forbidden` never, whatever is configured. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'forbidden';

const loopback = ranges(['127.0.0.0/8', '::1/128']);

/** Networks of one's own: RFC 1918, RFC 6598, unique local IPv6. */
const privateOnes = ranges(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']);

/**
 * What the special-purpose registries of IANA keep from the public: link-local (the metadata of clouds), multicast,
 * documentation, benchmarks, and IPv6 in which an IPv4 address hides (6to4, Teredo).
 */
const special = ranges([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** All public IPv6 addresses lie here; mapped, translated and link-local ones outside. */
const globalUnicast = ranges(['2000::/3']);

/** The class of an IP address; what is no IP address is forbidden. */
export function addressClass(address: string): AddressClass {
  if (isIPv4(address)) return classIn(address, 'ipv4');
  // A zone, as in fe80::1%eth0, belongs to link-local addresses alone.
  if (!isIPv6(address) || address.includes('%')) return 'forbidden';
  const found = classIn(address, 'ipv6');
  return found === 'public' && !globalUnicast.check(address, 'ipv6') ? 'forbidden' : found;
}

function classIn(address: string, family: 'ipv4' | 'ipv6'): AddressClass {
  if (loopback.check(address, family)) return 'loopback';
  if (privateOnes.check(address, family)) return 'private';
  return special.check(address, family) ? 'forbidden' : 'public';
}

function ranges(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits = ''] = subnet.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
