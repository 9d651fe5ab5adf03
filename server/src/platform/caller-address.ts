import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressOf } from './client-network.ts'
import type { Config } from './config.ts'

const NAMED_NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Decides which proxies are trusted to report the caller's address (TRUST_PROXY). Addresses are normalised before they
 * are compared, because some proxies add ports and brackets.
 */
export function createTrustCheck(trustProxy: Config['trustProxy']): (address: string, hopsBefore: number) => boolean {
  if (typeof trustProxy === 'number') return (_address, hopsBefore) => hopsBefore < trustProxy
  const networks = new BlockList()
  for (const network of trustProxy.flatMap((one) => NAMED_NETWORKS[one] ?? [one])) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (hop) => {
    const address = normaliseAddress(hop)
    return address !== undefined && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * Normalises an address as proxies write it (`203.0.113.9:4711`, `[2001:db8::9]:4711`, `"[2001:db8::9]"`,
 * `::ffff:203.0.113.9`) to the plain address; undefined for `unknown`, obfuscated names such as `_hidden`, and anything
 * else.
 */
export function normaliseAddress(text: string): string | undefined {
  const unquoted = text.trim().replace(/^"(.*)"$/, '$1')
  const withoutPort = /^\[([^\]]*)\](?::\d*)?$/.exec(unquoted)?.[1] ?? /^([\d.]+):\d*$/.exec(unquoted)?.[1] ?? unquoted
  return isIP(withoutPort) === 0 ? undefined : addressOf(withoutPort)
}

/** RFC 4291, 2.5.2: used for a caller who closed the connection before the request began. */
const UNSPECIFIED = '::'

/**
 * Returns the address of the caller, always one that PostgreSQL accepts: if a proxy reports an invalid one, the address
 * of that proxy.
 */
export function callerAddress({ ips = [], ip }: Pick<FastifyRequest, 'ips' | 'ip'>): string {
  const hops = [...ips, ip].map((hop) => (hop === undefined ? undefined : normaliseAddress(hop)))
  return hops.findLast((address) => address !== undefined) ?? UNSPECIFIED
}
