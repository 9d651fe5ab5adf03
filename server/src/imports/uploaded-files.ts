import path from 'node:path'
import { imports, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { lockContent } from '../media/media-repository.ts'
import { findIntactContents, restoreOriginal } from '../media/originals.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type IncomingFile, type LockedRun, lockImport, rejectSent, rejectUnannounced } from './import-runs.ts'
import { listSentCovers, listStoredCovers, releaseCover } from './uploaded-covers.ts'
import { deleteSheets } from './uploaded-sheets.ts'

/** Folders sent by a browser: files are announced, uploaded by the tus protocol, and stored until they are imported. */

type StorageContext = Pick<AppContext, 'sql' | 'storage'>
type ImportFilesContext = StorageContext & Pick<AppContext, 'log' | 'now'>
type AnnounceFilesParams = ParsedInputOf<typeof imports.registerFiles>
type AnnounceResult = ReplyOf<typeof imports.registerFiles>['files'][number]

const { MAX_IMPORT_FILES } = imports

/** `../../Artist//Title.mp3` becomes `Artist/Title.mp3`. */
export const normalisePath = (given: string): string =>
  given
    .normalize('NFC')
    .split(/[\\/]/)
    .map((part) => part.replace(/\p{Cc}/gu, '').trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join(path.sep)

type AnnouncedFile = { name: string; bytes: number; sha256: string }

/**
 * Records files that will be sent, and returns for each whether it is needed. Throws `unknown_import`,
 * `import_finished` and `too_many_files`.
 */
export async function announceFiles(
  ctx: ImportFilesContext,
  { import_run_id, files }: AnnounceFilesParams,
): Promise<AnnounceResult[]> {
  const named = files.map(({ path: given, ...file }) => ({ ...file, name: normalisePath(given) || 'Untitled' }))
  // A file whose stored original is missing or damaged is sent again, so that the import restores it.
  const intact = await findIntactContents(
    ctx,
    named.map(({ sha256 }) => sha256),
  )
  const { results, replaced } = await ctx.sql.begin(async (sql) => {
    rejectSent(await lockImport(sql, import_run_id))
    const replaced = await deleteReplacedFiles(sql, import_run_id, named)
    return { results: await announceBatch(sql, import_run_id, named, intact), replaced }
  })
  for (const sha256 of replaced) await releaseFile(ctx, sha256)
  return results
}

/**
 * Releases earlier uploads of files whose content has changed since, so that their outcomes are not used for the new
 * content.
 */
async function deleteReplacedFiles(sql: Sql, runId: number, files: readonly AnnouncedFile[]): Promise<string[]> {
  const replaced = await sql<{ sha256: string }[]>`
    with replaced as (
      select n, held_sha256 from import_file
      join unnest(${files.map(({ name }) => name)}::text[], ${files.map(({ sha256 }) => sha256)}::text[]) now (path, sha256)
        using (path)
      where import_run_id = ${runId} and held_sha256 <> decode(sha256, 'hex'))
    update import_file i set held_sha256 = null from replaced r where i.import_run_id = ${runId} and i.n = r.n
    returning encode(r.held_sha256, 'hex') as sha256`
  return replaced.map(({ sha256 }) => sha256)
}

async function announceBatch(
  sql: Sql,
  runId: number,
  files: readonly AnnouncedFile[],
  intact: ReadonlySet<string>,
): Promise<AnnounceResult[]> {
  await sql`update import_run set state = 'uploading', updated_at = now(), ended_at = null where import_run_id = ${runId}`
  const covers = await listSentCovers(
    sql,
    runId,
    files.map(({ name }) => name),
  )
  const results: AnnounceResult[] = []
  for (const file of files)
    results.push({
      ...(await announceFile(sql, runId, file, intact)),
      cover: covers.get(path.dirname(file.name)) ?? null,
    })
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from import_file where import_run_id = ${runId}`
  if (counted && counted.n > MAX_IMPORT_FILES)
    throw new ApiError(
      'too_many_files',
      `An import can have up to ${MAX_IMPORT_FILES} files. Split the folder into smaller parts.`,
    )
  return results
}

async function announceFile(
  sql: Sql,
  runId: number,
  { name, bytes, sha256 }: AnnouncedFile,
  intact: ReadonlySet<string>,
): Promise<Omit<AnnounceResult, 'cover'>> {
  const [row] = await sql<{ n: number; held: string | null }[]>`
    insert into import_file (import_run_id, n, path, bytes)
    select ${runId}, coalesce(max(n), 0) + 1, ${name}, ${bytes} from import_file where import_run_id = ${runId}
    on conflict (import_run_id, path) do update set bytes = excluded.bytes, outcome = null, reason = '', detail = ''
    returning n, encode(held_sha256, 'hex') as held`
  const n = row?.n ?? 0
  if (row?.held === sha256) return { n, state: 'uploaded' }
  if (intact.has(sha256)) {
    await skip(sql, runId, n, {
      reason: 'already in the catalogue',
      detail: 'The same file is already in the catalogue.',
    })
    return { n, state: 'existing' }
  }
  const [duplicate] = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and held_sha256 = decode(${sha256}, 'hex') and n <> ${n} limit 1`
  if (!duplicate) return { n, state: 'missing' }
  // The same content was uploaded under the other name. The scan decides which of the two names is more informative.
  await sql`
    update import_file set held_sha256 = decode(${sha256}, 'hex') where import_run_id = ${runId} and n = ${n}`
  return { n, state: 'duplicate' }
}

const skip = (sql: Sql, runId: number, n: number, { reason, detail }: { reason: string; detail: string }) => sql`
  update import_file set outcome = 'skipped', reason = ${reason}, detail = ${detail}
  where import_run_id = ${runId} and n = ${n}`

/** Stores a completely uploaded file. Throws the errors of `rejectUnannounced`, and `upload_corrupted`. */
export async function receiveSentFile(
  ctx: AppContext,
  incoming: IncomingFile,
  received: { path: string; sha256?: string | undefined },
): Promise<undefined> {
  await rejectUnannounced(ctx.sql, incoming)
  const { sha256 } = await ctx.storage.putFile('audio', received.path)
  try {
    if (sha256 !== received.sha256)
      throw new ApiError('upload_corrupted', 'The upload was corrupted. Send the file again.')
    await restoreOriginal(ctx, sha256, received.path)
    const before = await recordReceivedFile(ctx, incoming, { path: received.path, sha256 })
    if (before !== null && before !== sha256) await releaseFile(ctx, before)
  } catch (error) {
    if (error instanceof ApiError) await releaseFile(ctx, sha256)
    throw error
  }
  return undefined
}

/**
 * Returns the earlier upload of the same file. The update locks the import, as every change to it does: it may have
 * been started or removed during the upload.
 */
const recordReceivedFile = (
  ctx: StorageContext,
  { import_run_id, import_file }: IncomingFile,
  file: { path: string; sha256: string },
) =>
  ctx.sql.begin(async (sql) => {
    await lockContent(sql, file.sha256)
    // The same content may have just been deleted.
    if (!(await ctx.storage.has('audio', file.sha256))) await ctx.storage.putFile('audio', file.path)
    await sql`update import_run set updated_at = now() where import_run_id = ${import_run_id}`
    await rejectUnannounced(sql, { import_run_id, import_file })
    const [before] = await sql<{ sha256: string | null }[]>`
      select encode(held_sha256, 'hex') as sha256 from import_file
      where import_run_id = ${import_run_id} and n = ${import_file}`
    await sql`
      update import_file set held_sha256 = ${Buffer.from(file.sha256, 'hex')}, outcome = null, reason = '', detail = ''
      where import_run_id = ${import_run_id} and n = ${import_file}`
    return before?.sha256 ?? null
  })

const listStoredFiles = async (sql: Sql, runId: number): Promise<string[]> => {
  const stored = await sql<{ sha256: string }[]>`
    select distinct encode(held_sha256, 'hex') as sha256 from import_file
    where import_run_id = ${runId} and held_sha256 is not null`
  return stored.map(({ sha256 }) => sha256)
}

/** Releases the files sent by a browser: deletes bytes that were not imported into the pool, and covers of folders. */
export async function deleteSentFiles(ctx: StorageContext, runId: number): Promise<void> {
  for (const sha256 of await listStoredFiles(ctx.sql, runId)) await releaseFile(ctx, sha256, { of: runId })
  for (const sha256 of await listStoredCovers(ctx.sql, runId)) await releaseCover(ctx, sha256, { of: runId })
  await deleteSheets(ctx.sql, runId)
}

/**
 * Deletes an import with its report and its uploaded files. `beforeDelete` runs in the same transaction and can throw
 * to prevent it. Throws `unknown_import`.
 */
export async function deleteImport(
  ctx: StorageContext,
  runId: number,
  beforeDelete: (sql: Sql, run: LockedRun) => Promise<void>,
): Promise<void> {
  const { files, covers } = await ctx.sql.begin(async (sql) => {
    const run = await lockImport(sql, runId)
    await beforeDelete(sql, run)
    const all = { files: await listStoredFiles(sql, runId), covers: await listStoredCovers(sql, runId) }
    await sql`delete from import_run where import_run_id = ${runId}`
    return all
  })
  for (const sha256 of files) await releaseFile(ctx, sha256)
  for (const sha256 of covers) await releaseCover(ctx, sha256)
}

/** Deletes bytes that nothing uses any more, after removing them from the import `excluding`. */
async function releaseFile(
  { sql: pool, storage }: StorageContext,
  sha256: string,
  excluding?: { of: number },
): Promise<void> {
  const content = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    await sql`
      update import_file set held_sha256 = null where import_run_id = ${excluding?.of ?? null} and held_sha256 = ${content}`
    const references = await sql`
      select 1 from file where sha256 = ${content}
      union all select 1 from upload where sha256 = ${content}
      union all select 1 from import_file where held_sha256 = ${content} limit 1`
    if (references.length === 0) await storage.remove('audio', sha256)
  })
}

const RETENTION_DAYS = 14

/** Deletes uploaded files that were not imported within two weeks. */
export async function sweepSentFiles(ctx: StorageContext): Promise<void> {
  const expiredRuns = await ctx.sql<{ import_run_id: number }[]>`
    update import_run set state = 'failed', ended_at = now(),
      error_message = ${`This import wasn’t started within ${RETENTION_DAYS} days, so its uploaded files were deleted.`}
    where source = 'browser' and state not in ('waiting', 'running') and updated_at < now() - make_interval(days => ${RETENTION_DAYS})
      and (exists (select 1 from import_file i where i.import_run_id = import_run.import_run_id and held_sha256 is not null)
        or exists (select 1 from import_cover c where c.import_run_id = import_run.import_run_id))
    returning import_run_id`
  for (const { import_run_id } of expiredRuns) await deleteSentFiles(ctx, import_run_id)
}
