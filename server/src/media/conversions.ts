import { CONVERSION_VERSION, type ConversionFormat } from '../analysis/conversion/formats.ts'
import type { AppContext } from '../app-context.ts'
import type { AudioPayload } from '../audio-files/payload.ts'
import type { Sql } from '../platform/db.ts'
import { hashFile } from '../platform/storage.ts'
import { lockContent } from './media-repository.ts'

/** The conversions of stored files: which are requested, made and stored. See decision 53. */

type ConversionState = 'queued' | 'running' | 'done' | 'failed'

/** A stored conversion. */
export type StoredConversion = { conversion_id: number; sha256: string; bytes: number; body: AudioPayload }

export type Conversion = { file_id: number; state: ConversionState; progress: number } & {
  /** Null until it is done. */
  stored: StoredConversion | null
}

/** A failed conversion is tried again when it is requested after this time. */
const RETRY_MINUTES = 10
/** How often the use of a conversion is recorded: the browser asks once a second. */
const USE_RECORDED_HOURS = 1

type ConversionRow = Omit<Conversion, 'stored'> & { conversion_id: number; sha256: string | null } & {
  bytes: number | null
  body: AudioPayload | null
}

/** Returns the conversions of these files, in no order; files without one are left out. */
export async function findConversions(
  sql: Sql,
  fileIds: readonly number[],
  format: ConversionFormat,
): Promise<Conversion[]> {
  const rows = await sql<ConversionRow[]>`
    select file_id, state, progress, conversion_id, encode(sha256, 'hex') as sha256, bytes, body from conversion
    where file_id = any(${[...fileIds]}::bigint[]) and format = ${format} and version = ${CONVERSION_VERSION}`
  return rows.map(({ file_id, state, progress, conversion_id, sha256, bytes, body }) => ({
    ...{ file_id, state, progress },
    stored: sha256 !== null && bytes !== null && body ? { conversion_id, sha256, bytes, body } : null,
  }))
}

/**
 * Queues the conversions that do not exist, and records that all of them are in use. `is_bulk` conversions are made
 * after all others. Simultaneous requests share one row.
 */
export async function requestConversions(
  sql: Sql,
  fileIds: readonly number[],
  { format, is_bulk }: { format: ConversionFormat; is_bulk: boolean },
): Promise<void> {
  // In one order, so that simultaneous requests do not deadlock.
  const ids = [...new Set(fileIds)].sort((a, b) => a - b)
  const isRetried = sql`(c.state = 'failed' and c.updated_at < now() - make_interval(mins => ${RETRY_MINUTES}))`
  await sql`
    insert into conversion as c (file_id, format, version, is_bulk)
    select file_id, ${format}, ${CONVERSION_VERSION}, ${is_bulk} from unnest(${ids}::bigint[]) file_id
    on conflict (file_id, format, version) do update set used_at = now(),
      is_bulk = c.is_bulk and excluded.is_bulk,
      state = case when ${isRetried} then 'queued' else c.state end,
      attempts = case when ${isRetried} then 0 else c.attempts end
      where c.used_at < now() - make_interval(hours => ${USE_RECORDED_HOURS}) or ${isRetried} or (c.is_bulk and not excluded.is_bulk)`
}

/** Queues a conversion again whose stored file is missing or damaged. */
export async function remakeConversion(
  { sql: pool, storage }: Pick<AppContext, 'sql' | 'storage'>,
  { conversion_id, sha256 }: Pick<StoredConversion, 'conversion_id' | 'sha256'>,
): Promise<void> {
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    await sql`
      update conversion set state = 'queued', attempts = 0, progress = 0, sha256 = null, bytes = null, body = null, updated_at = now()
      where sha256 = ${Buffer.from(sha256, 'hex')} or conversion_id = ${conversion_id} and state = 'done'`
    await storage.remove('conversions', sha256)
  })
}

/** A conversion that a worker makes. `attempts` identifies the attempt, so that an earlier one cannot end it. */
export type ClaimedConversion = {
  conversion_id: number
  attempts: number
  format: ConversionFormat
  /** The original. */
  sha256: string
  bytes: number
}

/** After this time without a report, another worker may claim the conversion. */
const CLAIM_TIMEOUT_SECONDS = 90

/** Claims the next conversion, or one whose worker was killed. */
export async function claimConversion(sql: Sql): Promise<ClaimedConversion | undefined> {
  const [claimed] = await sql<ClaimedConversion[]>`
    with chosen as (
      select conversion_id, sha256, bytes from (
        select c.conversion_id, f.sha256, f.bytes from conversion c join file f using (file_id)
        where c.version = ${CONVERSION_VERSION} and (c.state = 'queued'
          or c.state = 'running' and c.updated_at < now() - make_interval(secs => ${CLAIM_TIMEOUT_SECONDS}))
        order by c.is_bulk, c.conversion_id limit 1 for update of c skip locked) next)
    update conversion c set state = 'running', attempts = c.attempts + 1, progress = 0, error = '', updated_at = now() from chosen
    where c.conversion_id = chosen.conversion_id
    returning c.conversion_id, c.attempts, c.format, encode(chosen.sha256, 'hex') as sha256, chosen.bytes`
  return claimed
}

type Claim = Pick<ClaimedConversion, 'conversion_id' | 'attempts'>

const isClaimed = (sql: Sql, { conversion_id, attempts }: Claim) =>
  sql`conversion_id = ${conversion_id} and attempts = ${attempts} and state = 'running'`

/** Reports that a worker is still making it. */
export const reportConversion = (sql: Sql, claim: Claim, progress: number) =>
  sql`update conversion set progress = ${progress}, updated_at = now() where ${isClaimed(sql, claim)}`

/** Returns a conversion to the queue, for example because the worker stops. It counts as no attempt. */
export const releaseConversion = (sql: Sql, claim: Claim) =>
  sql`update conversion set state = 'queued', attempts = attempts - 1, updated_at = now() where ${isClaimed(sql, claim)}`

export const failConversion = (sql: Sql, claim: Claim, error: string) =>
  sql`update conversion set state = 'failed', error = ${error}, updated_at = now() where ${isClaimed(sql, claim)}`

/**
 * Stores a finished file. The lock keeps the clean-up from deleting the same content of another conversion in between:
 * a FLAC and a WAV of the same recording give the same AIFF.
 */
export async function storeConversion(
  { sql: pool, storage }: Pick<AppContext, 'sql' | 'storage'>,
  claim: Claim,
  { path, body }: { path: string; body: AudioPayload },
): Promise<void> {
  const sha256 = await hashFile(path)
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    const { bytes } = await storage.putFile('conversions', path)
    await sql`
      update conversion set state = 'done', progress = 1, sha256 = ${Buffer.from(sha256, 'hex')}, bytes = ${bytes},
        body = ${sql.json(body as never)}, updated_at = now() where ${isClaimed(sql, claim)}`
  })
}

/** A conversion that was not requested for this long is deleted; the next request makes it again. */
const RETENTION_DAYS = 30

/** Deletes conversions that are unused, of deleted files, or of an earlier release. */
export async function sweepConversions({
  sql: pool,
  storage,
  now,
}: Pick<AppContext, 'sql' | 'storage' | 'now'>): Promise<void> {
  const unused = await pool<{ conversion_id: number; sha256: string | null }[]>`
    select conversion_id, encode(sha256, 'hex') as sha256 from conversion
    where file_id is null or version <> ${CONVERSION_VERSION}
      or used_at < ${now()}::timestamptz - make_interval(days => ${RETENTION_DAYS})`
  for (const { conversion_id, sha256 } of unused) {
    await pool.begin(async (sql) => {
      if (sha256 !== null) await lockContent(sql, sha256)
      await sql`delete from conversion where conversion_id = ${conversion_id}`
      const others = await sql`select 1 from conversion where encode(sha256, 'hex') = ${sha256} limit 1`
      if (sha256 !== null && others.length === 0) await storage.remove('conversions', sha256)
    })
  }
}
