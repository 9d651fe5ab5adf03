import { isIPv6 } from 'node:net'

/**
 * An address as PostgreSQL's `inet` takes it: an IPv4 one that is written as an IPv6 one (RFC 4291, 2.5.5.2) as itself,
 * and without the network card a link-local one names (`fe80::1%eth0`).
 */
export function addressOf(ip: string): string {
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return address
  const parts = splitParts(address)
  return /^(0:){5}ffff:/.test(parts.join(':')) ? toIpv4(parts) : address
}

/**
 * The place in the network an address stands for, by which is counted: an IPv4 address is one, of IPv6 it is the /64,
 * the least that a household or a machine is given (RFC 7421).
 */
export function networkOf(ip: string): string {
  const address = addressOf(ip)
  return isIPv6(address) ? `${splitParts(address).slice(0, 4).join(':')}::/64` : address
}

/** The eight parts of an IPv6 address, however it was written: `new URL` knows all the ways. */
function splitParts(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

const toIpv4 = (parts: string[]): string =>
  parts
    .slice(6)
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.')
