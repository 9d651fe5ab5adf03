import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ApiError } from './api-error.ts'

/**
 * Streams close after this time and the client reconnects, so that the stream of an ended session does not stay open.
 */
export const OPEN_MINUTES = 10
/** Events between the page's last request and the start of its stream are sent too. */
export const OVERLAP_MS = 10_000
const KEEPALIVE_INTERVAL_MS = 15_000
/** Two windows, each with one stream still open from a lost connection. */
const MAX_STREAMS = 4

type StreamEvent = { name: string; data: unknown }

type StreamWatch = {
  /** The subscriber; each may have a few streams of one kind. */
  subscriberId: number
  /** Returns the event since the last poll, if any; 'ended' if there is nothing more to watch. */
  poll(): Promise<StreamEvent | 'ended' | undefined>
}

export type Streams = {
  /** Contains `:signed`. */
  path: string
  pollIntervalMs: number
  /** Parses the signed values; an error it throws is sent instead of the stream. */
  open(signed: string): StreamWatch
  /** The message for a subscriber with too many streams. */
  tooManyMessage: string
  now(): Date
}

/**
 * Server-sent events (HTML Living Standard §9.2). Each stream polls the database, because its events may happen in any
 * process.
 */
export function serveStreams(app: FastifyInstance, { path, pollIntervalMs, open, tooManyMessage, now }: Streams): void {
  const streams = new Map<number, Set<AbortController>>()
  app.addHook('preClose', (done) => {
    for (const controllers of streams.values()) for (const controller of controllers) controller.abort()
    done()
  })
  app.get(path, async (request, reply) => {
    const watch = open((request.params as { signed: string }).signed)
    const controllers = streams.get(watch.subscriberId) ?? new Set()
    if (controllers.size >= MAX_STREAMS) throw new ApiError('rate_limited', tooManyMessage)
    const controller = new AbortController()
    streams.set(watch.subscriberId, controllers.add(controller))
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
    reply.hijack()
    reply.raw.on('close', () => controller.abort())
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // A stopping server must not wait for further requests on this connection.
      connection: 'close',
    })
    try {
      const until = now().getTime() + OPEN_MINUTES * 60_000
      await sendEvents(
        watch,
        reply.raw,
        pollIntervalMs,
        () => !controller.signal.aborted && now().getTime() < until,
        controller.signal,
      )
    } catch (error) {
      request.log.warn(error, 'Event stream ended early')
    } finally {
      controllers.delete(controller)
      if (controllers.size === 0) streams.delete(watch.subscriberId)
      reply.raw.end()
    }
  })
}

async function sendEvents(
  watch: StreamWatch,
  to: ServerResponse,
  pollIntervalMs: number,
  isActive: () => boolean,
  closeSignal: AbortSignal,
): Promise<void> {
  let lastSentAt = Date.now()
  to.write('retry: 2000\n\n')
  while (isActive()) {
    // Nothing is sent to a client that does not read until it does: unread data is buffered in this process's memory.
    const event = to.writableNeedDrain ? undefined : await watch.poll()
    if (event === 'ended') return
    if (event) to.write(`event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`)
    const isIdle = !event && Date.now() - lastSentAt > KEEPALIVE_INTERVAL_MS
    if (isIdle && !to.writableNeedDrain) to.write(': still here\n\n')
    if (isIdle || event) lastSentAt = Date.now()
    await pause(pollIntervalMs, undefined, { signal: closeSignal }).catch(() => {})
  }
}
