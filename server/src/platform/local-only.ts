import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { addressOf } from './client-network.ts'
import { isLocalName, withoutBrackets } from './demo-mode.ts'
import { escapeHtml } from './html.ts'
import type { Log } from './log.ts'

/** Headers in which proxies and tunnels send the caller's address. */
const CALLER_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
] as const

/** Headers in which they send the host the caller requested. */
const HOST_HEADERS = ['x-forwarded-host', 'x-original-host'] as const

export type LocalOnlyConfig = { isLocalOnly: boolean; host: string; publicUrl: string }

/**
 * While the demo's known passwords or the sandbox are on by default, only this computer may use the pool: a request
 * that may come from another one, by network, proxy or tunnel, gets a 421 with the settings to change. The Host header
 * is checked too, because a page of another site can point its own name at this computer (DNS rebinding).
 */
export function rejectRemoteCallers(app: FastifyInstance, config: LocalOnlyConfig, log: Pick<Log, 'warn'>): void {
  if (!config.isLocalOnly) return
  const allowedHosts = new Set([
    withoutBrackets(config.host).toLowerCase(),
    parseHostname(new URL(config.publicUrl).host),
  ])
  // A socket caches an address that was read while it was open; once it is closed the address is no longer available.
  app.server.on('connection', (socket) => void socket.remoteAddress)
  let isLogged = false
  app.addHook('onRequest', async (request, reply) => {
    const reason = findRemoteIndication(request.raw, allowedHosts)
    if (reason === undefined) return
    if (!isLogged) log.warn({ reason }, `Refused a request from outside. ${LOCAL_ONLY_MESSAGE}`)
    isLogged = true
    return sendRemoteError(request, reply)
  })
}

const LOCAL_ONLY_MESSAGE =
  'This pool only answers on the computer it runs on, because it uses the demo’s passwords or test payments. To run your own pool, set DEMO=off, PUBLIC_URL and GATEWAYS. To show the demo to others, set DEMO=on and PUBLIC_URL. Then restart it.'

export type IncomingCall = Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
  socket: { remoteAddress?: string | undefined }
}

/** Returns what indicates that a request may come from another computer; undefined if everything about it is local. */
export function findRemoteIndication(request: IncomingCall, allowedHosts: ReadonlySet<string>): string | undefined {
  const { headers, socket, httpVersion } = request
  const isOwnHost = (host: string) => {
    const hostname = parseHostname(host)
    return hostname !== '' && (isLocalName(hostname) || allowedHosts.has(hostname))
  }
  if (!isLocalAddress(socket.remoteAddress ?? '')) return 'address'
  if (!isOwnHost(headers.host ?? '')) return 'host'
  // nginx forwards by HTTP/1.0 by default, without any header that shows it.
  if (httpVersion === '1.0') return 'http version'
  if (headers.via !== undefined) return 'via'
  const caller = CALLER_HEADERS.find((name) => !headerValues(headers[name]).every(isLocalAddress))
  if (caller) return caller
  const host = HOST_HEADERS.find((name) => !headerValues(headers[name]).every(isOwnHost))
  if (host) return host
  if (!forwardedParts(headers.forwarded).every(([name, value]) => isLocalPart(name, value, isOwnHost)))
    return 'forwarded'
  return comesFromOwnPage(headers, isOwnHost) ? undefined : 'origin'
}

const headerValues = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : String(header).split(',')

/** The pairs of RFC 7239: `for=192.0.2.60;host=pool.example, for="[2001:db8::1]:4711"`. */
const forwardedParts = (header: string | undefined): [string, string][] =>
  (header === undefined ? [] : header.split(/[;,]/)).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim().toLowerCase(), value.join('=').trim().replace(/^"|"$/g, '')]
  })

function isLocalPart(name: string, value: string, isOwnHost: (host: string) => boolean): boolean {
  if (name === 'for') return isLocalAddress(value)
  if (name === 'host') return isOwnHost(value)
  return name === 'by' || name === 'proto'
}

/**
 * Browsers report by Sec-Fetch-Site that page and request have the same origin: then Origin and Referer contain the
 * requested host, which a proxy may have replaced in Host.
 */
function comesFromOwnPage(headers: IncomingMessage['headers'], isOwnHost: (host: string) => boolean): boolean {
  if (headers['sec-fetch-site'] !== 'same-origin') return true
  return [headers.origin, headers.referer].every(
    (page) => page === undefined || !URL.canParse(page) || isOwnHost(new URL(page).host),
  )
}

/** Returns the name in a Host header, without its port; '' if it is not a host. */
function parseHostname(host: string): string {
  const url = `http://${host.trim()}`
  if (!URL.canParse(url)) return ''
  const { hostname, host: read, pathname, username } = new URL(url)
  return read !== '' && pathname === '/' && username === '' ? withoutBrackets(hostname) : ''
}

/** Returns whether a caller's address, as a socket or a proxy writes it, is this computer's. */
const isLocalAddress = (address: string): boolean => isLocalName(addressOf(hostnameOrAddress(address.trim())))

/** Removes the port and brackets: proxies write `127.0.0.1:4711`, `[::1]:4711` and `::1`. */
function hostnameOrAddress(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1]
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
}

function sendRemoteError(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store')
  const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
  if (!isPage || request.url.startsWith('/api/')) throw new ApiError('local_only', LOCAL_ONLY_MESSAGE)
  return reply
    .code(421)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .send(PAGE)
}

const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This pool is only available locally</title>
<style>body{margin:0;min-height:100vh;display:grid;place-content:center;background:#0c0d10;color:#eef0f3;font:16px/1.5 system-ui,sans-serif}
main{max-width:38rem;padding:24px}h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1rem;margin:1.5rem 0 .25rem}p{color:#a7aeb9;margin:0 0 .5rem}
pre{background:#16181d;border-radius:8px;padding:.75rem 1rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}</style>
<main><h1>This pool is only available locally</h1>
<p>${escapeHtml('It uses the demo’s passwords or test payments, so it only answers on the computer it runs on. If you run this pool, change these settings and restart it.')}</p>
<h2>To run your own pool</h2><pre>DEMO=off
PUBLIC_URL=https://pool.example
GATEWAYS=stripe</pre>
<h2>To show the demo to others</h2><p>Staff accounts get random passwords, printed when the pool starts.</p><pre>DEMO=on
PUBLIC_URL=https://pool.example</pre></main></html>`
