import { isIPv6 } from 'node:net'

/**
 * Normalises an address for PostgreSQL's `inet`: an IPv4 address in IPv6 notation (RFC 4291, 2.5.5.2) becomes IPv4, and
 * the zone of a link-local address (`fe80::1%eth0`) is removed.
 */
export function addressOf(ip: string): string {
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return address
  const parts = splitParts(address)
  return /^(0:){5}ffff:/.test(parts.join(':')) ? toIpv4(parts) : address
}

/**
 * Returns the network used as key for counting: an IPv4 address itself, for IPv6 the /64, the smallest network given to
 * a household or a machine (RFC 7421).
 */
export function networkOf(ip: string): string {
  const address = addressOf(ip)
  return isIPv6(address) ? `${splitParts(address).slice(0, 4).join(':')}::/64` : address
}

/** Splits an IPv6 address in any notation into its eight parts; `new URL` normalises the notation. */
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
