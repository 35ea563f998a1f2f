import { isIPv6 } from 'node:net';

/**
 * What requests are counted by that have no key: an IPv4 address, or the first 64 bits of an IPv6 address, of which
 * one sender has the whole rest.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [ip = ''] = address.split('%');
  if (!isIPv6(ip)) return address;
  const [left = [], right = []] = ip
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
