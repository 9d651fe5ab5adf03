import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Something that can be sent whole or in part, whose length is known before its first byte. */
export type Sendable = {
  length: number
  etag: string
  type: string
  cacheControl: string
  disposition?: string
  modified?: Date
  /** Bytes `from` to `to`, end exclusive. */
  read(from: number, to: number): AsyncIterable<Uint8Array>
  /** Called once the last byte has gone out. */
  onSentToEnd?: () => void
}

type Part = { from: number; to: number }

/** One range of RFC 9110 §14; undefined for none (or for several, which are answered whole), null for one beyond the end. */
export function readRangeHeader(header: string | undefined, length: number): Part | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') {
    const last = Math.min(Number(match[2]), length)
    return last === 0 ? null : { from: length - last, to: length }
  }
  const from = Number(match[1])
  const to = match[2] === '' ? length : Math.min(Number(match[2]) + 1, length)
  return from >= length || to <= from ? null : { from, to }
}

/** Answers with the bytes, honouring Range, If-Range and If-None-Match. */
export function sendBytes(request: FastifyRequest, reply: FastifyReply, what: Sendable) {
  reply
    .header('etag', what.etag)
    .header('cache-control', what.cacheControl)
    .header('accept-ranges', 'bytes')
    .header('content-type', what.type)
  if (what.disposition) reply.header('content-disposition', what.disposition)
  if (what.modified) reply.header('last-modified', what.modified.toUTCString())
  if (request.headers['if-none-match'] === what.etag) return reply.code(304).send()
  const ifRange = request.headers['if-range']
  const part = ifRange && ifRange !== what.etag ? undefined : readRangeHeader(request.headers.range, what.length)
  if (part === null) return reply.code(416).header('content-range', `bytes */${what.length}`).send()
  const { from, to } = part ?? { from: 0, to: what.length }
  if (part) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${what.length}`)
  reply.header('content-length', to - from)
  // An empty stream keeps the length that was set; nothing at all would set it to zero.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  if (what.onSentToEnd && to === what.length) tellWhenSent(reply, what.onSentToEnd)
  return reply.send(Readable.from(what.read(from, to), { objectMode: false, highWaterMark: 1 << 18 }))
}

/** The response finished without the other side going away: every byte was handed to the network. */
function tellWhenSent(reply: FastifyReply, tell: () => void): void {
  finished(reply.raw, (error) => {
    if (!error) tell()
  })
}
