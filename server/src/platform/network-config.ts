import { isIP, isIPv6 } from 'node:net'
import * as z from 'zod/mini'

/** Where the server listens, at which URL others reach it, and the proxies in front of it. */
export type NetworkConfig = {
  port: number
  host: string
  /** How long a stopping process keeps serving requests after /readyz reports that it is not ready. */
  drainSeconds: number
  publicUrl: string
  /** False if it was derived from HOST and PORT. */
  isPublicUrlSet: boolean
  /**
   * The proxies trusted to report the caller's address: a list of addresses, networks and names, or the number of
   * proxies in front.
   */
  trustProxy: string[] | number
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Returns true for an address, or a network in CIDR notation (RFC 4632). */
function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const maxBits = isIPv6(address) ? 128 : 32
  const isInRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
  return isIP(address) !== 0 && isInRange && more.length === 0
}

const splitList = (text: string): string[] => text.split(',').map((one) => one.trim())

const trustProxy = z.union([
  z.pipe(z.string().check(z.regex(/^[1-9]$/)), z.transform(Number)),
  z.pipe(z.string().check(z.refine((text) => splitList(text).every(isNetwork))), z.transform(splitList)),
])

/** Environment settings for the network. */
export const networkEnvironment = {
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535)), 3000),
  HOST: z._default(z.string().check(z.minLength(1)), 'localhost'),
  DRAIN_SECONDS: z._default(z.coerce.number().check(z.gte(0), z.lte(10)), 0),
  PUBLIC_URL: z.optional(z.url()),
  TRUST_PROXY: z._default(trustProxy, ['loopback']),
}

export const NETWORK_EXPECTED_VALUES = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'a host name or IP address to listen on, such as localhost',
  DRAIN_SECONDS: 'a number of seconds from 0 to 10',
  PUBLIC_URL: 'the full public URL, such as https://pool.example',
  TRUST_PROXY:
    'IP addresses or networks of trusted proxies, such as 10.0.0.2, 192.168.0.0/16, or the number of proxies, from 1 to 9',
}

const environment = z.object(networkEnvironment)

/** Derives the public URL from HOST and PORT if it is not set; it never ends with a slash. */
export function readNetwork(value: z.output<typeof environment>): NetworkConfig {
  return {
    port: value.PORT,
    host: value.HOST,
    drainSeconds: value.DRAIN_SECONDS,
    publicUrl: (value.PUBLIC_URL ?? `http://${formatHost(value.HOST)}:${value.PORT}`).replace(/\/$/, ''),
    isPublicUrlSet: value.PUBLIC_URL !== undefined,
    trustProxy: value.TRUST_PROXY,
  }
}

/** An IPv6 address in a URL is in brackets (RFC 3986, 3.2.2). */
const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
