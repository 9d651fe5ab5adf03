import type { FastifyRateLimitOptions, FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Sql } from './db.ts'

type Count = { current: number; ttl: number }
type RateLimitCallback = (error: Error | null, count?: Count) => void

const MAX_BLOCKED_KEYS = 10_000

/**
 * Counts requests for rate limits in the database, so that a limit applies across all processes. Each process rejects
 * callers over a limit without another query until the window ends.
 */
export const createRateLimitStore = (sql: Sql): FastifyRateLimitStoreCtor =>
  class Limits implements FastifyRateLimitStore {
    readonly #what: string
    /** Until when callers over the limit are blocked, in ms since 1970. */
    readonly #shut = new Map<string, number>()

    constructor(options: FastifyRateLimitOptions & { routeInfo?: { method?: string | string[]; url?: string } } = {}) {
      const { method = '', url = '' } = options.routeInfo ?? {}
      this.#what = `${String(method)} ${url}`
    }

    child(options: object) {
      return new Limits(options)
    }

    incr(key: string, callback: RateLimitCallback, windowMs = 60_000, max = Number.MAX_SAFE_INTEGER): void {
      const left_ms = (this.#shut.get(key) ?? 0) - Date.now()
      if (left_ms > 0) {
        callback(null, { current: max + 1, ttl: left_ms })
        return
      }
      count(sql, this.#what, key, windowMs).then(
        (counted) => {
          if (counted.current > max) this.#shutOut(key, counted.ttl)
          callback(null, counted)
        },
        (error: Error) => callback(error),
      )
    }

    #shutOut(key: string, durationMs: number): void {
      if (this.#shut.size >= MAX_BLOCKED_KEYS) this.#shut.clear()
      this.#shut.set(key, Date.now() + durationMs)
    }
  } as unknown as FastifyRateLimitStoreCtor

/** Adds one to a count; returns the number in the current window and when that window ends. */
async function count(sql: Sql, rateKind: string, rateKey: string, windowMs: number): Promise<Count> {
  const windowExpired = sql`r.since < clock_timestamp() - make_interval(secs => ${windowMs / 1000})`
  const [row] = await sql<Count[]>`
    insert into rate as r (what, who, since) values (${rateKind}, ${rateKey}, clock_timestamp())
    on conflict (what, who) do update set
      n = case when ${windowExpired} then 1 else r.n + 1 end,
      since = case when ${windowExpired} then clock_timestamp() else r.since end
    returning n as current,
      ceil(${windowMs} - extract(epoch from clock_timestamp() - r.since) * 1000)::int as ttl`
  return row ?? { current: 1, ttl: windowMs }
}
