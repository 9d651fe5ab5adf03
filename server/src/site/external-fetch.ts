import { type LookupAddress, lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP, isIPv6 } from 'node:net'

export type FetchOptions = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Time limit for name resolution, connection and response together. */
  within_ms: number
  maxBytes: number
  /** Allows a host in a private network, by plain HTTP: for tests. */
  allowsPrivate: boolean
}

export type ExternalResponse = { status: number; bytes: Buffer }

/** An external host did not respond as expected; the message is worded to follow the host's name. */
export class ExternalFetchError extends Error {}

/**
 * Requests something small from an internet host, over https only. Only connects to public addresses, whatever a name
 * resolves to, and does not follow redirects. Throws ExternalFetchError.
 */
export async function fetchExternal(address: URL, fetchOptions: FetchOptions): Promise<ExternalResponse> {
  if (!fetchOptions.allowsPrivate) rejectNearby(address)
  const signal = AbortSignal.timeout(fetchOptions.within_ms)
  try {
    return await send(address, fetchOptions, signal)
  } catch (error) {
    if (error instanceof ExternalFetchError) throw error
    if (signal.aborted) {
      const seconds = Math.ceil(fetchOptions.within_ms / 1000)
      throw new ExternalFetchError(`did not respond within ${seconds === 1 ? '1 second' : `${seconds} seconds`}`)
    }
    const { code, message } = error as NodeJS.ErrnoException
    throw new ExternalFetchError(`could not be reached (${code ?? message})`, { cause: error })
  }
}

function rejectNearby({ protocol, hostname, port, username }: URL): void {
  if (protocol !== 'https:') throw new ExternalFetchError('does not use https')
  if (port !== '' || username !== '' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')) {
    throw new ExternalFetchError('is at an address that is not allowed')
  }
}

function send(address: URL, fetchOptions: FetchOptions, signal: AbortSignal): Promise<ExternalResponse> {
  const { method = 'GET', headers = {}, body, allowsPrivate, maxBytes } = fetchOptions
  const ask = address.protocol === 'http:' ? requestPlain : request
  // A separate connection, so that no open one keeps a stopping process running.
  const options = { method, headers, signal, agent: false, ...(allowsPrivate ? {} : { lookup: lookupPublic }) }
  return new Promise((resolve, reject) => {
    const clientRequest = ask(address, options, async (response) => {
      try {
        const chunks: Buffer[] = []
        let bytes = 0
        for await (const chunk of response) {
          chunks.push(chunk as Buffer)
          bytes += (chunk as Buffer).length
          if (bytes > maxBytes)
            throw new ExternalFetchError(`returned more than ${Math.floor(maxBytes / 1024 / 1024)} MB`)
        }
        resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) })
      } catch (error) {
        clientRequest.destroy()
        reject(error)
      }
    })
    clientRequest.on('error', reject)
    clientRequest.end(body)
  })
}

/** Like node:dns, for public hosts only: the connection uses the address that was checked. */
export function lookupPublic(
  hostname: string,
  options: { all?: boolean | undefined; family?: number | 'IPv4' | 'IPv6' | undefined },
  done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublic(address))) {
      return done(new ExternalFetchError('is at an address that is not allowed'), [])
    }
    return options.all ? done(null, addresses) : done(null, first.address, first.family)
  })
}

/** Addresses that are not public (IANA's registries of special-purpose addresses, RFC 6890). */
const special = new BlockList()
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
]) {
  special.addSubnet(network, bits)
}
/** Public IPv6 is 2000::/3, without ranges that lead to IPv4 or nowhere. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
special.addSubnet('2001::', 23, 'ipv6')
special.addSubnet('2001:db8::', 32, 'ipv6')
special.addSubnet('2002::', 16, 'ipv6')
special.addSubnet('3fff::', 20, 'ipv6')

export const isPublic = (address: string): boolean =>
  isIPv6(address)
    ? global.check(address, 'ipv6') && !special.check(address, 'ipv6')
    : isIP(address) === 4 && !special.check(address)
