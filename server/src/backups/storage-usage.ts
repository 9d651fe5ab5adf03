import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { dashboard } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { DamageKind } from '../platform/damaged-files.ts'
import type { Sql } from '../platform/db.ts'
import type { StorageKind } from '../platform/storage.ts'
import { recheckDamaged, recordDamage } from './file-damage.ts'
import { isReferenced, type ReferencedFile, readReferenced } from './referenced-files.ts'
import { mergeSorted } from './stored-files.ts'

type Deps = Pick<AppContext, 'sql' | 'storage' | 'config' | 'now' | 'log'>

/** An emptied or unmounted store would make every file of the pool missing; recording the first of them is enough. */
const MAX_RECORDED = 500

/** A file added this recently may be referenced in a moment. */
const UPLOAD_GRACE_MS = 60 * 60_000
const MAX_TABLES = 12

const KIND_NAMES: Record<StorageKind, dashboard.StoredKind> = {
  audio: 'originals',
  previews: 'previews',
  conversions: 'conversions',
  images: 'pictures',
  attachments: 'attachments',
}

/** Measures the store and the database, and saves the result for this day. Takes as long as listing the store. */
export async function measureStorage({ sql, storage, config, now, log }: Deps): Promise<void> {
  const began = Date.now()
  const kinds: dashboard.StorageMeasurement['kinds'] = []
  const found = { missing: 0, orphans: 0, orphan_bytes: 0 }
  await recheckDamaged({ sql, storage, log })
  for (const kind of Object.keys(KIND_NAMES) as StorageKind[]) {
    const { files, bytes, ...wrong } = await measureKind({ sql, storage, now, log }, kind)
    kinds.push({ kind: KIND_NAMES[kind], files, bytes })
    for (const name of ['missing', 'orphans', 'orphan_bytes'] as const) found[name] += wrong[name]
  }
  kinds.push(await measureWaveforms(sql))
  kinds.push({ kind: 'unfinished', ...(await measureFolder(path.join(config.dataDir, 'media', 'unfinished'))) })
  kinds.push({ kind: 'in_the_making', ...(await measureFolder(path.join(config.dataDir, 'media', 'scratch'))) })
  const database = await measureDatabase(sql)
  const seconds = (Date.now() - began) / 1000
  await saveMeasurement(sql, { ...found, ...database, kinds, seconds, at: now() })
  log.info({ seconds, missing: found.missing }, 'Storage usage measured')
}

type KindUsage = { files: number; bytes: number; missing: number; orphans: number; orphan_bytes: number }

async function measureKind({ sql, storage, now, log }: Omit<Deps, 'config'>, kind: StorageKind): Promise<KindUsage> {
  const sum: KindUsage = { files: 0, bytes: 0, missing: 0, orphans: 0, orphan_bytes: 0 }
  let recorded = 0
  const record = async (file: ReferencedFile, damage: DamageKind) => {
    recorded += 1
    if (recorded <= MAX_RECORDED) await recordDamage({ sql, storage, log }, file, damage)
  }
  // They are made again at the next request.
  const isRemade = kind === 'conversions'
  for await (const { named: referenced, listed } of mergeSorted(await readReferenced(sql, kind), storage.list(kind))) {
    if (listed) {
      sum.files += 1
      sum.bytes += listed.bytes
    }
    // It may have been added or removed since the listing.
    if (
      !isRemade &&
      referenced &&
      !listed &&
      !(await storage.has(kind, referenced.sha256, referenced.ending)) &&
      (await isReferenced(sql, referenced))
    ) {
      sum.missing += 1
      await record(referenced, 'missing')
    }
    // Lengths from the listing are checked every night for every file; the scrub reads the content of some.
    if (!isRemade && referenced && listed && referenced.bytes !== null && listed.bytes !== referenced.bytes)
      await record(referenced, listed.bytes < referenced.bytes ? 'truncated' : 'altered')
    if (referenced || !listed || now().getTime() - listed.changed_at.getTime() < UPLOAD_GRACE_MS) continue
    if (await isReferenced(sql, { kind, sha256: listed.sha256 })) continue
    sum.orphans += 1
    sum.orphan_bytes += listed.bytes
  }
  return sum
}

async function measureWaveforms(sql: Sql): Promise<dashboard.StorageMeasurement['kinds'][number]> {
  const [found] = await sql<{ files: number; bytes: number }[]>`
    select (select count(*) from peaks) as files, pg_total_relation_size('peaks') as bytes`
  return { kind: 'waveforms', files: found?.files ?? 0, bytes: found?.bytes ?? 0 }
}

/** Counts the files of a folder; 0 when it does not exist. */
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

type DatabaseUsage = Pick<dashboard.StorageMeasurement, 'database_bytes' | 'tables'>

async function measureDatabase(sql: Sql): Promise<DatabaseUsage> {
  const [size] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  const tables = await sql<DatabaseUsage['tables']>`
    select relname::text as table, pg_total_relation_size(relid) as bytes, n_live_tup as rows
    from pg_stat_user_tables where schemaname = 'public' order by 2 desc, 1 limit ${MAX_TABLES}`
  return { database_bytes: size?.bytes ?? 0, tables: [...tables] }
}

type SavedMeasurement = Omit<dashboard.StorageMeasurement, 'measured_at'> & { at: Date }

const saveMeasurement = (sql: Sql, { at, seconds, kinds, tables, ...sums }: SavedMeasurement) => sql`
  insert into storage_usage (day, measured_at, seconds, kinds, database_bytes, tables, missing, orphans, orphan_bytes)
  values ((${at}::timestamptz at time zone 'UTC')::date, ${at}, ${seconds}, ${sql.json(kinds)}, ${sums.database_bytes},
    ${sql.json(tables)}, ${sums.missing}, ${sums.orphans}, ${sums.orphan_bytes})
  on conflict (day) do update set measured_at = excluded.measured_at, seconds = excluded.seconds, kinds = excluded.kinds,
    database_bytes = excluded.database_bytes, tables = excluded.tables, missing = excluded.missing,
    orphans = excluded.orphans, orphan_bytes = excluded.orphan_bytes`

/** The last measurement; null before the first. */
export async function readMeasurement(sql: Sql): Promise<dashboard.StorageMeasurement | null> {
  const [row] = await sql<(Omit<dashboard.StorageMeasurement, 'measured_at'> & { measured_at: Date })[]>`
    select measured_at, seconds, kinds, database_bytes, tables, missing, orphans, orphan_bytes
    from storage_usage order by day desc limit 1`
  return row ? { ...row, measured_at: row.measured_at.toISOString() } : null
}

const MAX_DAYS = 400

type GrowthRow = { day: string; store_bytes: number; database_bytes: number }

/** The stored bytes of each measured day, oldest first; waveforms are in the database. */
export const readGrowth = async (sql: Sql): Promise<GrowthRow[]> => sql<GrowthRow[]>`
  select * from (
    select day::text as day, database_bytes, (
      select coalesce(sum((k->>'bytes')::bigint), 0) from jsonb_array_elements(kinds) k where k->>'kind' <> 'waveforms'
    )::bigint as store_bytes
    from storage_usage order by storage_usage.day desc limit ${MAX_DAYS}) newest
  order by day`
