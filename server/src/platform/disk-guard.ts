import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Pool } from './db.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'

/** Below this the database is read-only: PostgreSQL crashes if its WAL cannot grow, and cannot start again. */
export const MIN_FREE_BYTES = 32 * 2 ** 20
/** Released when the disk is full, so that the database can still write what it needs for reading. */
const RESERVE_BYTES = 64 * 2 ** 20
/** The database is writable again with this much free space, including the reserve. */
const WRITE_AGAIN_BYTES = MIN_FREE_BYTES + RESERVE_BYTES + 32 * 2 ** 20

/** Returns the free space on the disk of a folder, in bytes; undefined if unknown. */
function freeBytes(folder: string): number | undefined {
  const { bavail, bsize } = statfsSync(folder)
  return bsize > 0 ? bavail * bsize : undefined
}

/**
 * Keeps the embedded database running on a full disk: it reserves some space, and when the disk is nearly full it
 * releases the reserve and makes the database read-only (SQLSTATE 25006 for writes) until there is space again.
 */
export class DiskGuard {
  private readonly folder: string
  private readonly reserve: string
  private readonly log: Log
  private readonly freeBytes: () => number | undefined
  private isReadOnly: boolean | undefined

  constructor(folder: string, log: Log, readFreeBytes: () => number | undefined = () => freeBytes(folder)) {
    this.folder = folder
    this.reserve = path.join(folder, 'reserve')
    this.log = log
    this.freeBytes = readFreeBytes
  }

  /** Throws an error with a sentence if there is too little space to start the database. */
  checkRoom(): void {
    const free = this.freeBytes()
    if (free === undefined || free >= MIN_FREE_BYTES) return
    // The reserve of an earlier run counts as free space; it is created again once there is enough.
    rmSync(this.reserve, { force: true })
    const left = this.freeBytes() ?? MIN_FREE_BYTES
    if (left >= MIN_FREE_BYTES) return
    throw new DiskFullError(
      `The disk of ${this.folder} is full: ${toMegabytes(left)} MB free. Free up at least ${toMegabytes(WRITE_AGAIN_BYTES)} MB and start again.`,
    )
  }

  /**
   * Checks the disk and switches between read-only and writable if necessary. `sql` needs permission to change the
   * server's settings.
   */
  async look(sql: Pool): Promise<void> {
    const free = this.freeBytes()
    if (free === undefined) return
    this.isReadOnly ??= await isReadOnlyDatabase(sql)
    if (!this.isReadOnly && free < MIN_FREE_BYTES) {
      rmSync(this.reserve, { force: true })
      await setReadOnly(sql, true)
      this.isReadOnly = true
    } else if (this.isReadOnly && free + (this.hasReserve() ? RESERVE_BYTES : 0) >= WRITE_AGAIN_BYTES) {
      await setReadOnly(sql, false)
      this.isReadOnly = false
      outages.disk.recovered(this.log)
    }
    if (this.isReadOnly)
      outages.disk.failed(this.log, new Error(`${toMegabytes(free)} MB free; read-only until there is more`))
    else if (!this.hasReserve() && free >= WRITE_AGAIN_BYTES) this.createReserve()
  }

  private hasReserve(): boolean {
    return existsSync(this.reserve)
  }

  private createReserve(): void {
    try {
      writeFileSync(this.reserve, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
    } catch (error) {
      rmSync(this.reserve, { force: true })
      this.log.warn(error, 'Could not reserve disk space for when the disk is full.')
    }
  }
}

export class DiskFullError extends Error {}

const toMegabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

async function isReadOnlyDatabase(sql: Pool): Promise<boolean> {
  const [row] = await sql<{ setting: string }[]>`
    select setting from pg_settings where name = 'default_transaction_read_only'`
  return row?.setting === 'on'
}

async function setReadOnly(sql: Pool, isReadOnly: boolean): Promise<void> {
  // ALTER SYSTEM writes no table, so a read-only session may run it; it takes no parameters.
  if (isReadOnly) await sql`alter system set default_transaction_read_only = on`
  else await sql`alter system reset default_transaction_read_only`
  await sql`select pg_reload_conf()`
}
