import type { Log } from './log.ts'

const LOG_INTERVAL_MS = 60_000
/** Errors further apart than this belong to two outages. */
const ENDED_AFTER_MS = 30_000

/**
 * Something every request needs that fails for a while. Logs one line when it begins, one a minute with the number of
 * failures, and one when it ends, instead of a stack trace for each request.
 */
export class Outage {
  private readonly what: string
  private readonly now: () => number
  private startedAt: number | undefined
  private failedAt = 0
  private loggedAt = 0
  private failures = 0

  /** `resourceName` starts the log line: "The database is unavailable". */
  constructor(resourceName: string, now: () => number = () => performance.now()) {
    this.what = resourceName
    this.now = now
  }

  failed(log: Pick<Log, 'error'>, error: unknown): void {
    const now = this.now()
    if (this.startedAt !== undefined && now - this.failedAt > ENDED_AFTER_MS) this.startedAt = undefined
    this.failedAt = now
    if (this.startedAt === undefined) {
      this.startedAt = now
      this.loggedAt = now
      this.failures = 1
      log.error({ err: error }, `${this.what}.`)
      return
    }
    this.failures++
    if (now - this.loggedAt < LOG_INTERVAL_MS) return
    this.loggedAt = now
    log.error(
      { seconds: this.seconds(now), failures: this.failures, reason: errorMessage(error) },
      `${this.what} still.`,
    )
  }

  /** Logs the end of an outage; does nothing if there is none. */
  recovered(log: Pick<Log, 'info'>): void {
    if (this.startedAt === undefined) return
    log.info({ seconds: this.seconds(this.now()), failures: this.failures }, `Over: ${this.what.toLowerCase()}.`)
    this.startedAt = undefined
  }

  private seconds(now: number): number {
    return Math.round((now - (this.startedAt ?? now)) / 1000)
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The outages of this process. */
export const outages = {
  database: new Outage('The database is unavailable'),
  storage: new Outage('The storage of music and pictures is unavailable'),
  disk: new Outage('The disk is full or cannot be written to'),
}
