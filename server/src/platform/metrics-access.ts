import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** A proxy or tunnel adds at least one of these; a scraper on this machine sends none. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
]

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (/^(::ffff:)?127\./.test(address) || address === '::1')

const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

/**
 * Returns true if a program on this machine called directly. The connection alone does not show that, because a proxy
 * on this machine connects from the loopback address too: nginx without configured headers forwards as HTTP/1.0.
 */
function isDirectFromThisMachine(request: FastifyRequest): boolean {
  const { socket, headers, httpVersion } = request.raw
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackHost(headers.host) &&
    httpVersion !== '1.0' &&
    !FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
  )
}

/** Compares hashes, so that the time taken reveals nothing about the token or its length. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

/** If a token is set, every caller needs it; otherwise only programs on this machine may read the metrics. */
export function canReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isDirectFromThisMachine(request)
  const [, sent] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  return sent !== undefined && isSame(sent, token)
}
