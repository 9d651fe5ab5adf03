import zlib from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A value of Content-Encoding. */
export type Encoding = 'zstd' | 'br' | 'gzip'

/** The fastest levels that make a list of songs seven times smaller; measured in decision 62. */
const BROTLI_QUALITY = 3
const GZIP_LEVEL = 4

/** Undefined in Node 20 and its types: Zstandard was added in Node 22.15. Its default level is 3. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer }

/** In the server's order of preference: least CPU time first. */
export const ENCODINGS: Encoding[] = zstdCompressSync ? ['zstd', 'br', 'gzip'] : ['br', 'gzip']

/** Shorter replies fit into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1024

const COMPRESSIBLE = /^(text\/(?!event-stream)|application\/(json|xml|manifest\+json|(rss|atom)\+xml)|image\/svg\+xml)/

/** Returns the encoding to use for a reply to this request, by its Accept-Encoding; undefined for none. */
export const acceptedEncoding = (request: FastifyRequest): Encoding | undefined =>
  (negotiate(String(request.headers['accept-encoding'] ?? ''), ENCODINGS) as Encoding | null) ?? undefined

/** Returns these bytes in this encoding. */
export function compress(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'zstd' && zstdCompressSync) return zstdCompressSync(bytes)
  if (encoding === 'gzip') return zlib.gzipSync(bytes, { level: GZIP_LEVEL })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
  return zlib.brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

/**
 * Compresses each reply that is a text of at least `MIN_COMPRESSED_BYTES` and held in memory, unless its handler has
 * done so. Streams are sent as they are.
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (!Buffer.isBuffer(bytes) || bytes.length < MIN_COMPRESSED_BYTES || !isCompressible(reply)) {
      return done(null, payload)
    }
    varyByEncoding(reply)
    const encoding = acceptedEncoding(request)
    if (!encoding) return done(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    done(null, compress(bytes, encoding))
  })
}

/** Parts are of the uncompressed bytes, and `no-transform` is a reply that must arrive unchanged. */
const isCompressible = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') &&
  reply.statusCode !== 206 &&
  !String(reply.getHeader('cache-control') ?? '').includes('no-transform') &&
  COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))

/** Adds to Vary that the reply depends on Accept-Encoding. */
function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  if (
    String(vary ?? '')
      .toLowerCase()
      .includes('accept-encoding')
  )
    return
  reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
}
