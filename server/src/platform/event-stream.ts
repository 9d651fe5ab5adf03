import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

/** A stream is asked for anew after so long: nobody's ended session goes on listening. */
export const OPEN_MINUTES = 10
/** What happened between the page's last question and the beginning of its stream is told as well. */
export const OVERLAP_MS = 10_000
const SIGN_OF_LIFE_MS = 15_000
/** Two windows and one left open by a broken line. */
const MOST_STREAMS = 4

export type Happening = { name: string; data: unknown }

export type Watch = {
  /** Who watches: each has a few streams of one kind. */
  who: number
  /** What has happened since it was asked last; 'ended' where there is nothing to see any more. */
  look(): Promise<Happening | 'ended' | undefined>
}

export type Streams = {
  /** With `:signed` in it. */
  path: string
  lookEveryMs: number
  /** Reads the signed values; what it throws refuses the stream. */
  open(signed: string): Watch
  /** Said to whoever watches in too many windows. */
  tooMany: string
  now(): Date
}

/**
 * Server-sent events (HTML Living Standard §9.2). Each stream looks into the database, because what it tells of happens
 * in any process.
 */
export function serveStreams(app: FastifyInstance, { path, lookEveryMs, open, tooMany, now }: Streams): void {
  const streams = new Map<number, Set<AbortController>>()
  app.addHook('preClose', (done) => {
    for (const own of streams.values()) for (const isGone of own) isGone.abort()
    done()
  })
  app.get(path, async (request, reply) => {
    const watch = open((request.params as { signed: string }).signed)
    const own = streams.get(watch.who) ?? new Set()
    if (own.size >= MOST_STREAMS) throw new Refusal('rate_limited', tooMany)
    const isGone = new AbortController()
    streams.set(watch.who, own.add(isGone))
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
    reply.hijack()
    reply.raw.on('close', () => isGone.abort())
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // A server that stops does not wait for what else might come by it.
      connection: 'close',
    })
    try {
      const until = now().getTime() + OPEN_MINUTES * 60_000
      await tell(watch, reply.raw, lookEveryMs, () => !isGone.signal.aborted && now().getTime() < until, isGone.signal)
    } catch (error) {
      request.log.warn(error, 'Event stream ended early')
    } finally {
      own.delete(isGone)
      if (own.size === 0) streams.delete(watch.who)
      reply.raw.end()
    }
  })
}

async function tell(
  watch: Watch,
  to: ServerResponse,
  lookEveryMs: number,
  goesOn: () => boolean,
  gone: AbortSignal,
): Promise<void> {
  let saidAt = Date.now()
  to.write('retry: 2000\n\n')
  while (goesOn()) {
    // Whoever does not read is told no more until they do: what they have not taken lies in memory here.
    const happening = to.writableNeedDrain ? undefined : await watch.look()
    if (happening === 'ended') return
    if (happening) to.write(`event: ${happening.name}\ndata: ${JSON.stringify(happening.data)}\n\n`)
    const isQuiet = !happening && Date.now() - saidAt > SIGN_OF_LIFE_MS
    if (isQuiet && !to.writableNeedDrain) to.write(': still here\n\n')
    if (isQuiet || happening) saidAt = Date.now()
    await pause(lookEveryMs, undefined, { signal: gone }).catch(() => {})
  }
}
