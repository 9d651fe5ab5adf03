import type { AppContext } from '../app-context.ts'
import type { Sql } from '../platform/db.ts'
import { examineFile, recheckDamaged, recordDamage } from './file-damage.ts'
import { KINDS, readReferenced } from './referenced-files.ts'

/**
 * The files of a store are read in parts by the first byte of their hash, which are about equal in size in any pool.
 */
const SLOTS = 256
const DEFAULT_DAYS = 30

type Deps = Pick<AppContext, 'sql' | 'storage' | 'config' | 'log'>

/**
 * In how many days every stored file is read once; 0 for never. Reading a bucket may cost money, and the bucket checks
 * its own bytes, so it is read only if configured.
 */
export const scrubDays = ({ scrubDays, bucket }: Pick<AppContext['config'], 'scrubDays' | 'bucket'>): number =>
  scrubDays ?? (bucket ? 0 : DEFAULT_DAYS)

/**
 * Reads a part of the stored files and records those that are damaged, so that all are read once in SCRUB_DAYS.
 * Continues where the last run ended; an aborted run loses at most the part it was reading.
 */
export async function scrubFiles({ sql, storage, config, log }: Deps, signal: AbortSignal): Promise<void> {
  const days = scrubDays(config)
  if (days === 0) return
  await recheckDamaged({ sql, storage, log }, signal)
  const sum = { files: 0, bytes: 0 }
  await sql`insert into storage_scrub default values on conflict do nothing`
  for (let slots = Math.ceil(SLOTS / days); slots > 0; slots -= 1) {
    const [state] = await sql<{ next_slot: number }[]>`select next_slot from storage_scrub`
    const slot = state?.next_slot ?? 0
    const prefix = slot.toString(16).padStart(2, '0')
    for (const kind of KINDS) {
      for (const file of await readReferenced(sql, kind, { from: prefix, to: `${prefix}~` })) {
        signal.throwIfAborted()
        const damage = await examineFile(storage, file, (bytes) => {
          sum.bytes += bytes
        })
        await recordDamage({ sql, storage, log }, file, damage)
        sum.files += 1
      }
    }
    await finishSlot(sql, slot, sum)
  }
  log.info(sum, 'Stored files were verified against their checksums.')
}

/** Advances the position unless another worker has finished the same part since. */
const finishSlot = (sql: Sql, slot: number, { files, bytes }: { files: number; bytes: number }) => sql`
  update storage_scrub set next_slot = (next_slot + 1) % ${SLOTS}, last_run_at = now(), files = ${files}, bytes = ${bytes},
    finished_at = case when next_slot = ${SLOTS - 1} then now() else finished_at end,
    started_at = case when next_slot = ${SLOTS - 1} then now() else started_at end
  where next_slot = ${slot}`

export type ScrubState = {
  last_run_at: Date | null
  finished_at: Date | null
  files: number
  bytes: number
  done: number
}

/** The progress of the scrub; `done` is the share of the current round. */
export async function readScrub(sql: Sql): Promise<ScrubState | undefined> {
  const [scrub] = await sql<ScrubState[]>`
    select last_run_at, finished_at, files, bytes, next_slot / ${SLOTS}::float8 as done from storage_scrub`
  return scrub
}
