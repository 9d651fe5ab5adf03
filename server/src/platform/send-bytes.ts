import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
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
  /** Bytes `from` to `to`, end exclusive. A piece may be written over once the second piece after it is asked for. */
  read(from: number, to: number): AsyncIterable<Uint8Array>
  /** Called once the last byte has gone out in a part that counts as the end, see `isTransfer`. */
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

/** A look at the end of a file (programs read its tags there) is shorter, the rest of a broken transfer is seldom. */
const TRANSFER_BYTES = 64 * 1024

/**
 * Whether a part that reaches the end is a transfer of the whole or the rest of one: it began at 0, or is at least
 * 64 KiB; in a file smaller than that, every part is. What was broken off in its last 64 KiB stays under way.
 */
const isTransfer = ({ from, to }: Part, length: number): boolean =>
  to === length && (from === 0 || to - from >= TRANSFER_BYTES || length < TRANSFER_BYTES)

/** A connection on which nothing moves for so long is given up: it holds a file and its buffers. */
const IDLE_MS = 2 * 60_000

/**
 * Answers with the bytes, honouring Range, If-Range and If-None-Match. Throws what reading the first piece throws, before
 * anything was promised. `idleMs` is only changed by tests.
 */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, what: Sendable, idleMs = IDLE_MS) {
  if (request.headers['if-none-match'] === what.etag) return describe(reply, what).code(304).send()
  const ifRange = request.headers['if-range']
  const part = ifRange && ifRange !== what.etag ? undefined : readRangeHeader(request.headers.range, what.length)
  if (part === null) {
    return describe(reply, what).code(416).header('content-range', `bytes */${what.length}`).send()
  }
  const { from, to } = part ?? { from: 0, to: what.length }
  const tellPart = () => {
    describe(reply, what).header('content-length', to - from)
    if (part) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${what.length}`)
  }
  if (request.method === 'HEAD') {
    tellPart()
    // An empty stream keeps the length that was set; nothing at all would set it to zero.
    return reply.send(Readable.from([]))
  }
  const pieces = what.read(from, to)[Symbol.asyncIterator]()
  const first = await pieces.next()
  tellPart()
  if (what.onSentToEnd && isTransfer({ from, to }, what.length)) tellWhenSent(reply, what.onSentToEnd)
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy())
  return pour(request, reply, first, pieces, to - from)
}

function describe(reply: FastifyReply, what: Sendable): FastifyReply {
  reply
    .header('etag', what.etag)
    .header('cache-control', what.cacheControl)
    .header('accept-ranges', 'bytes')
    .header('content-type', what.type)
  if (what.disposition) reply.header('content-disposition', what.disposition)
  if (what.modified) reply.header('last-modified', what.modified.toUTCString())
  return reply
}

/** The response finished without the other side going away: every byte was handed to the network. */
function tellWhenSent(reply: FastifyReply, tell: () => void): void {
  finished(reply.raw, (error) => {
    if (!error) tell()
  })
}

/**
 * Writes the pieces straight to the connection, one on its way while the next is read: half the CPU of a stream between
 * the two, and as many buffers as there are pieces in hand. A piece is written only when the one before has left.
 */
async function pour(
  request: FastifyRequest,
  reply: FastifyReply,
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  length: number,
): Promise<FastifyReply> {
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  const write = writer(raw)
  let left = Promise.resolve()
  let sent = 0
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      await left
      left = write(piece.value)
      sent += piece.value.length
    }
    await left
    if (sent !== length) throw new Error(`Of ${length} bytes that were told there were ${sent}.`)
    raw.end()
  } catch (error) {
    // The other side went away, or the bytes could not be read: the length that was told lets it see the break.
    if (!raw.destroyed) request.log.error(error, 'A transfer broke off.')
    raw.destroy()
  } finally {
    await pieces.return?.()
  }
  return reply
}

/** Writes one piece after the other; each settles when it has left, or when the other side has gone. */
function writer(raw: ServerResponse): (piece: Uint8Array) => Promise<void> {
  const gone = () => new Error('The other side went away.')
  let giveUp = () => {}
  // Node does not tell a write that was under way when its connection closed.
  raw.once('close', () => giveUp())
  return (piece) => {
    const left = new Promise<void>((resolve, reject) => {
      giveUp = () => reject(gone())
      if (raw.destroyed) return giveUp()
      raw.write(piece, (error) => (error ? reject(error) : resolve()))
    })
    // Looked at when the next piece is there; until then its failure is not unheard.
    left.catch(() => {})
    return left
  }
}
