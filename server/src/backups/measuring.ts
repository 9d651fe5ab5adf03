import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { desk } from '@dubplate/contract'
import type { Damage } from '../platform/damaged-files.ts'
import type { Sql } from '../platform/db.ts'
import type { Kind } from '../platform/storage.ts'
import type { World } from '../world.ts'
import { noteDamage, recheckDamaged } from './file-damage.ts'
import { isNamed, type NamedFile, readNamed } from './named-files.ts'
import { sideBySide } from './stored-files.ts'

type Tools = Pick<World, 'sql' | 'storage' | 'config' | 'now' | 'log'>

/** A store that was emptied or not mounted has as many missing files as the pool has; the first of them are enough to say so. */
const MOST_RECORDED = 500

/** What came in so lately may be named in a moment. */
const UNDER_WAY_MS = 60 * 60_000
const MOST_TABLES = 12

const STORED: Record<Kind, desk.KindKept> = {
  audio: 'originals',
  previews: 'previews',
  images: 'pictures',
  attachments: 'attachments',
}

/** Counts what the store and the database hold, and keeps it as this day's. It takes as long as a listing of the store. */
export async function measureStorage({ sql, storage, config, now, log }: Tools): Promise<void> {
  const began = Date.now()
  const kinds: desk.Measured['kinds'] = []
  const found = { missing: 0, orphans: 0, orphan_bytes: 0 }
  await recheckDamaged({ sql, storage, log })
  for (const kind of Object.keys(STORED) as Kind[]) {
    const { files, bytes, ...wrong } = await measureKind({ sql, storage, now, log }, kind)
    kinds.push({ kind: STORED[kind], files, bytes })
    for (const name of ['missing', 'orphans', 'orphan_bytes'] as const) found[name] += wrong[name]
  }
  kinds.push(await measureWaveforms(sql))
  kinds.push({ kind: 'unfinished', ...(await measureFolder(path.join(config.dataDir, 'media', 'unfinished'))) })
  kinds.push({ kind: 'in_the_making', ...(await measureFolder(path.join(config.dataDir, 'media', 'scratch'))) })
  const database = await measureDatabase(sql)
  const seconds = (Date.now() - began) / 1000
  await keepMeasured(sql, { ...found, ...database, kinds, seconds, at: now() })
  log.info({ seconds, missing: found.missing }, 'Storage usage measured')
}

type Measure = { files: number; bytes: number; missing: number; orphans: number; orphan_bytes: number }

async function measureKind({ sql, storage, now, log }: Omit<Tools, 'config'>, kind: Kind): Promise<Measure> {
  const sum: Measure = { files: 0, bytes: 0, missing: 0, orphans: 0, orphan_bytes: 0 }
  let recorded = 0
  const record = async (file: NamedFile, damage: Damage) => {
    recorded += 1
    if (recorded <= MOST_RECORDED) await noteDamage({ sql, storage, log }, file, damage)
  }
  for await (const { named, listed } of sideBySide(await readNamed(sql, kind), storage.list(kind))) {
    if (listed) {
      sum.files += 1
      sum.bytes += listed.bytes
    }
    // It came or went since it was listed.
    if (named && !listed && !(await storage.has(kind, named.sha256, named.ending)) && (await isNamed(sql, named))) {
      sum.missing += 1
      await record(named, 'missing')
    }
    // What a listing shows of every file each night; the scrub reads the content of some.
    if (named && listed && named.bytes !== null && listed.bytes !== named.bytes)
      await record(named, listed.bytes < named.bytes ? 'truncated' : 'altered')
    if (named || !listed || now().getTime() - listed.changed_at.getTime() < UNDER_WAY_MS) continue
    if (await isNamed(sql, { kind, sha256: listed.sha256 })) continue
    sum.orphans += 1
    sum.orphan_bytes += listed.bytes
  }
  return sum
}

async function measureWaveforms(sql: Sql): Promise<desk.Measured['kinds'][number]> {
  const [found] = await sql<{ files: number; bytes: number }[]>`
    select (select count(*) from peaks) as files, pg_total_relation_size('peaks') as bytes`
  return { kind: 'waveforms', files: found?.files ?? 0, bytes: found?.bytes ?? 0 }
}

/** The files of a folder; none where it is not there. */
async function measureFolder(folder: string): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 }
  for (const name of await readdir(folder).catch(() => [])) {
    const file = await stat(path.join(folder, name)).catch(() => undefined)
    if (!file?.isFile()) continue
    sum.files += 1
    sum.bytes += file.size
  }
  return sum
}

type Database = Pick<desk.Measured, 'database_bytes' | 'tables'>

async function measureDatabase(sql: Sql): Promise<Database> {
  const [size] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  const tables = await sql<Database['tables']>`
    select relname::text as table, pg_total_relation_size(relid) as bytes, n_live_tup as rows
    from pg_stat_user_tables where schemaname = 'public' order by 2 desc, 1 limit ${MOST_TABLES}`
  return { database_bytes: size?.bytes ?? 0, tables: [...tables] }
}

type Kept = Omit<desk.Measured, 'measured_at'> & { at: Date }

const keepMeasured = (sql: Sql, { at, seconds, kinds, tables, ...sums }: Kept) => sql`
  insert into storage_day (day, measured_at, seconds, kinds, database_bytes, tables, missing, orphans, orphan_bytes)
  values ((${at}::timestamptz at time zone 'UTC')::date, ${at}, ${seconds}, ${sql.json(kinds)}, ${sums.database_bytes},
    ${sql.json(tables)}, ${sums.missing}, ${sums.orphans}, ${sums.orphan_bytes})
  on conflict (day) do update set measured_at = excluded.measured_at, seconds = excluded.seconds, kinds = excluded.kinds,
    database_bytes = excluded.database_bytes, tables = excluded.tables, missing = excluded.missing,
    orphans = excluded.orphans, orphan_bytes = excluded.orphan_bytes`

/** As last measured; null until it was once. */
export async function readMeasured(sql: Sql): Promise<desk.Measured | null> {
  const [row] = await sql<(Omit<desk.Measured, 'measured_at'> & { measured_at: Date })[]>`
    select measured_at, seconds, kinds, database_bytes, tables, missing, orphans, orphan_bytes
    from storage_day order by day desc limit 1`
  return row ? { ...row, measured_at: row.measured_at.toISOString() } : null
}

const MOST_DAYS = 400

type Growth = { day: string; store_bytes: number; database_bytes: number }

/** What was kept each day it was measured, oldest first; waveforms are in the database. */
export const readGrowth = async (sql: Sql): Promise<Growth[]> => sql<Growth[]>`
  select * from (
    select day::text as day, database_bytes, (
      select coalesce(sum((k->>'bytes')::bigint), 0) from jsonb_array_elements(kinds) k where k->>'kind' <> 'waveforms'
    )::bigint as store_bytes
    from storage_day order by storage_day.day desc limit ${MOST_DAYS}) newest
  order by day`
