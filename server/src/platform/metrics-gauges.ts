import { Gauge, type Registry } from 'prom-client'
import type { Pool } from './db.ts'
import type { Log } from './log.ts'

/** A metric of the pool, read by a statement with a single value; null if there is no value. */
export type PoolGauge = {
  name: string
  help: string
  statement: string
  /** Several values with labels: the statement's value is then a JSON array of objects with labels and `value`. */
  labels?: readonly string[]
  /** A table that may not exist yet; the gauge is left out until it does. */
  from?: string
}

/** However often metrics are read, the database is queried at most every 15 seconds. */
const COUNT_INTERVAL_MS = 15_000
const GAUGE_TIMEOUT_MS = 3_000

/**
 * Adds gauges that are read together in one statement when the metrics are requested. While the database does not
 * respond they are left out; the other metrics are still returned.
 */
export function addGauges(
  registry: Registry,
  gauges: readonly PoolGauge[],
  { sql, log }: { sql: Pool; log: Log },
): void {
  if (gauges.length === 0) return
  const counted = createCachedCounts(sql, log, gauges)
  for (const { name, help, labels = [] } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        this.reset()
        const value = (await counted())[name]
        if (typeof value === 'number') this.set(value)
        else if (value) for (const { value: n, ...labelValues } of value) this.set(labelValues, n)
        else if (labels.length === 0) this.remove()
      },
    })
  }
}

type LabelledValue = Record<string, string> & { value: number }
type Counts = Record<string, number | readonly LabelledValue[] | null>

function createCachedCounts(sql: Pool, log: Log, gauges: readonly PoolGauge[]): () => Promise<Counts> {
  let countedAt = Number.NEGATIVE_INFINITY
  let counts: Promise<Counts> = Promise.resolve({})
  const count = async (): Promise<Counts> => {
    const tables = gauges.flatMap(({ from }) => from ?? [])
    const existingTables = await sql<{ name: string }[]>`
      select name from unnest(${tables}::text[]) name where to_regclass(name) is not null`
    const available = gauges.filter(({ from }) => !from || existingTables.some(({ name }) => name === from))
    const values = available.map(
      ({ name, statement, labels }) => `(${statement})${labels ? '' : '::float8'} as ${name}`,
    )
    const [row] = await sql.unsafe<Counts[]>(`select ${values.join(', ')}`)
    return row ?? {}
  }
  return () => {
    if (performance.now() - countedAt < COUNT_INTERVAL_MS) return counts
    countedAt = performance.now()
    const fresh = count().catch((error) => {
      log.warn(error, 'Could not collect metrics')
      return {}
    })
    counts = Promise.race([fresh, emptyCountsAfter(GAUGE_TIMEOUT_MS)])
    return counts
  }
}

/** A scraper does not wait for a database that does not respond. */
const emptyCountsAfter = (ms: number): Promise<Counts> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, {}).unref()
  })
