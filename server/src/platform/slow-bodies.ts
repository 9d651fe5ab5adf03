import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Headers are a few hundred bytes: a caller that needs longer blocks the connection on purpose, or has disconnected.
 */
const HEADERS_TIMEOUT_MS = 15_000
const CHECK_EVERY_MS = 2000
/**
 * Neither side sends or reads a byte: the client disconnected without closing. Event streams send something every 15 s.
 */
const SILENT_CONNECTION_MS = 300_000
/** Longer than the 60 s for which proxies keep connections open by default. */
const KEEP_ALIVE_MS = 72_000

/** Server timeouts, used together with `closeSlowBodies`. */
export const CONNECTION_TIMEOUTS = {
  connectionTimeout: SILENT_CONNECTION_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // No time limit for whole requests: a large upload over a slow connection takes hours; its progress is checked below.
  requestTimeout: 0,
  http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_EVERY_MS },
}

/** A body without a byte for this long is aborted. */
export const IDLE_BODY_MS = 30_000
/** The window in which a body must make minimum progress: a fortieth of the speed of a GPRS phone. */
export const RATE_WINDOW_MS = 60_000
export const MIN_BYTES_PER_WINDOW = 500 * 60
/** After the reply, the rest of the body is read for this long, so that the reply reaches the caller. */
export const LINGER_MS = 5000

export type BodyWatcher = {
  /** Closes every connection whose body is too slow at this time, in ms of a monotonic clock. */
  check(now: number): void
  /** How many bodies are being received. */
  readonly size: number
}

/** Closes connections with a stalled body, without limiting how long one with steady progress may take. */
export function closeSlowBodies(app: FastifyInstance): BodyWatcher {
  const bodies = new Set<Body>()
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request.raw)) bodies.add(new Body(request.raw, reply.raw, performance.now()))
    done()
  })
  const check = (now: number) => {
    for (const body of bodies) if (body.isOver(now)) bodies.delete(body)
  }
  const timer = setInterval(() => check(performance.now()), CHECK_EVERY_MS)
  timer.unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
  return {
    check,
    get size() {
      return bodies.size
    },
  }
}

/** Requests that tests inject have no socket. */
const hasBody = ({ headers, socket }: IncomingMessage): boolean =>
  socket instanceof Socket && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** A request body that is being received. */
class Body {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #bytes: number
  #progressAt: number
  #window: { startedAt: number; bytes: number; wasOurs: boolean }
  #answeredAt: number | undefined

  constructor(request: IncomingMessage, response: ServerResponse, now: number) {
    this.#request = request
    this.#response = response
    this.#bytes = request.socket.bytesRead
    this.#progressAt = now
    this.#window = { startedAt: now, bytes: this.#bytes, wasOurs: false }
  }

  /** Returns true if nothing is left to watch; closes the connection of a body that is too slow. */
  isOver(now: number): boolean {
    if (this.#request.complete || this.#request.socket.destroyed) return true
    if (!this.#isTooSlow(now)) return false
    this.#close()
    return true
  }

  #isTooSlow(now: number): boolean {
    if (this.#response.writableFinished) {
      this.#answeredAt ??= now
      return now - this.#answeredAt >= LINGER_MS
    }
    const { bytesRead } = this.#request.socket
    // With unread bytes, the server is slow, not the caller.
    const hasUnreadBytes = this.#request.readableLength > 0
    if (bytesRead > this.#bytes || hasUnreadBytes) this.#progressAt = now
    this.#bytes = bytesRead
    this.#window.wasOurs ||= hasUnreadBytes
    return now - this.#progressAt >= IDLE_BODY_MS || this.#hasSlowWindow(now)
  }

  #hasSlowWindow(now: number): boolean {
    const { startedAt, bytes, wasOurs } = this.#window
    if (now - startedAt < RATE_WINDOW_MS) return false
    this.#window = { startedAt: now, bytes: this.#bytes, wasOurs: false }
    return !wasOurs && this.#bytes - bytes < MIN_BYTES_PER_WINDOW
  }

  #close(): void {
    const { socket } = this.#request
    if (this.#response.headersSent || !socket.writable) {
      socket.destroy()
      return
    }
    socket.write(REQUEST_TIMEOUT)
    socket.destroySoon()
  }
}

const TIMEOUT_MESSAGE = 'The request arrived too slowly. Check your connection and try again.'
const BODY = JSON.stringify({
  data: null,
  code: 'request_timeout',
  message: TIMEOUT_MESSAGE,
  errors: [TIMEOUT_MESSAGE],
})
const REQUEST_TIMEOUT = `HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`
