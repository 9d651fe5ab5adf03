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
  const windowExpired = sql`r.window_started_at < clock_timestamp() - make_interval(secs => ${windowMs / 1000})`
  const [row] = await sql<Count[]>`
    insert into rate_counter as r (kind, key, window_started_at) values (${rateKind}, ${rateKey}, clock_timestamp())
    on conflict (kind, key) do update set
      count = case when ${windowExpired} then 1 else r.count + 1 end,
      window_started_at = case when ${windowExpired} then clock_timestamp() else r.window_started_at end
    returning count as current,
      ceil(${windowMs} - extract(epoch from clock_timestamp() - r.window_started_at) * 1000)::int as ttl`
  return row ?? { current: 1, ttl: windowMs }
}
