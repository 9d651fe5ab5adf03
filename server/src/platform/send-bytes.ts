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
  /** Bytes `from` to `to`, end exclusive. A chunk may be overwritten once the second chunk after it is requested. */
  read(from: number, to: number): AsyncIterable<Uint8Array>
  /**
   * Returns the headers that make the front server send this range of the content; undefined if this process has to.
   * Then neither `read` nor `onEnd` is called.
   */
  handOver?: ((range: ByteRange) => Promise<Record<string, string> | undefined>) | undefined
  /** Called once after a GET that began to send bytes, however it ended. */
  onEnd?: (end: TransferEnd) => void
}

export type TransferEnd = {
  /** The first requested byte. */
  from: number
  /** How many bytes were passed to the network. */
  sent: number
  /** Everything requested was sent, and the client did not disconnect. */
  isFinished: boolean
  /** The error that ended the transfer if the bytes could not be read. */
  readError?: unknown
}

/** `to` is exclusive. */
export type ByteRange = { from: number; to: number }

/**
 * Parses one range of RFC 9110 §14; undefined for none (or for several, which get the whole content), null for one
 * beyond the end.
 */
export function readRangeHeader(header: string | undefined, length: number): ByteRange | null | undefined {
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

/** A connection without progress is closed after this time: it uses a file and its buffers. */
const IDLE_TIMEOUT_MS = 2 * 60_000

/**
 * Sends the bytes, with support for Range, If-Range and If-None-Match. Throws the error of reading the first chunk,
 * before any header is sent. `idleMs` is only changed by tests.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Sendable,
  idleMs = IDLE_TIMEOUT_MS,
) {
  if (request.headers['if-none-match'] === content.etag) return describe(reply, content).code(304).send()
  const ifRange = request.headers['if-range']
  const part = ifRange && ifRange !== content.etag ? undefined : readRangeHeader(request.headers.range, content.length)
  if (part === null) {
    return describe(reply, content).code(416).header('content-range', `bytes */${content.length}`).send()
  }
  const { from, to } = part ?? { from: 0, to: content.length }
  const writePartHeaders = () => {
    describe(reply, content).header('content-length', to - from)
    // A part says by itself that ranges are accepted, and nginx leaves the header out too.
    if (part)
      reply
        .code(206)
        .removeHeader('accept-ranges')
        .header('content-range', `bytes ${from}-${to - 1}/${content.length}`)
  }
  if (request.method === 'HEAD') {
    writePartHeaders()
    // An empty stream keeps the length that was set; sending nothing would set it to zero.
    return reply.send(Readable.from([]))
  }
  const sendfile = isAnsweredAlike(request, content.length) ? await content.handOver?.({ from, to }) : undefined
  // Range, If-Range, Content-Length and Accept-Ranges are left to the front server.
  if (sendfile) return describe(reply, content).removeHeader('accept-ranges').headers(sendfile).send('')
  const pieces = content.read(from, to)[Symbol.asyncIterator]()
  const first = await pieces.next()
  writePartHeaders()
  const progress: Progress = { sent: 0 }
  finished(reply.raw, (error) => content.onEnd?.({ from, ...progress, isFinished: !error }))
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy())
  return streamBytes(request, reply, { first, pieces, length: to - from, progress })
}

/**
 * Returns whether nginx and Apache answer these headers as `sendBytes` does. They also know preconditions, several
 * ranges and dates in If-Range, which `sendBytes` ignores.
 */
function isAnsweredAlike({ headers }: Pick<FastifyRequest, 'headers'>, length: number): boolean {
  if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) return false
  if (headers['if-none-match']?.includes('*')) return false
  if (headers['if-range'] !== undefined && !/^"[^"]*"$/.test(String(headers['if-range']))) return false
  return headers.range === undefined || readRangeHeader(headers.range, length) !== undefined
}

function describe(reply: FastifyReply, content: Sendable): FastifyReply {
  reply
    .header('etag', content.etag)
    .header('cache-control', content.cacheControl)
    .header('accept-ranges', 'bytes')
    .header('content-type', content.type)
  if (content.disposition) reply.header('content-disposition', content.disposition)
  if (content.modified) reply.header('last-modified', content.modified.toUTCString())
  return reply
}

type Progress = Pick<TransferEnd, 'sent' | 'readError'>

type StreamParams = {
  first: IteratorResult<Uint8Array>
  pieces: AsyncIterator<Uint8Array>
  length: number
  progress: Progress
}

/**
 * Writes the chunks directly to the connection, sending one while the next is read: half the CPU of a stream in
 * between, and only two buffers. A chunk is written only when the previous one has been sent.
 */
async function streamBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { first, pieces, length, progress }: StreamParams,
): Promise<FastifyReply> {
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  const write = createWriter(raw)
  const throwReadError = (error: unknown): never => {
    progress.readError = error
    throw error
  }
  let left = Promise.resolve()
  try {
    for (let chunk = first; !chunk.done; chunk = await pieces.next().catch(throwReadError)) {
      await left
      left = write(chunk.value)
      progress.sent += chunk.value.length
    }
    await left
    if (progress.sent !== length) throwReadError(new Error(`Sent ${progress.sent} of ${length} announced bytes`))
    raw.end()
  } catch (error) {
    // The client disconnected, or the bytes could not be read: the client notices the missing bytes by the content
    // length.
    if (!raw.destroyed) request.log.error(error, 'Download interrupted')
    raw.destroy()
  } finally {
    await pieces.return?.()
  }
  return reply
}

/** Writes one chunk after the other; each promise settles when it was sent, or when the client has disconnected. */
function createWriter(raw: ServerResponse): (chunk: Uint8Array) => Promise<void> {
  const disconnectedError = () => new Error('The client disconnected')
  let abort = () => {}
  // Node does not report a write that was in progress when its connection closed.
  raw.once('close', () => abort())
  return (chunk) => {
    const left = new Promise<void>((resolve, reject) => {
      abort = () => reject(disconnectedError())
      if (raw.destroyed) return abort()
      raw.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
    // It is awaited when the next chunk is ready; until then its rejection must not count as unhandled.
    left.catch(() => {})
    return left
  }
}
