import type { AppContext } from '../app-context.ts'
import { deleteFileRecord, lockContent } from '../media/media-repository.ts'
import type { Sql } from '../platform/db.ts'

/** Removed files are kept this long, so that a mistake can be undone. */
const RETENTION_DAYS = 30
const BATCH_SIZE = 200

/**
 * Deletes files that were removed a while ago and are not in any song: in the pool, in review or in anyone's history.
 */
export async function sweepRemovedFiles(ctx: Pick<AppContext, 'sql' | 'storage' | 'now' | 'log'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 24 * 3600 * 1000)
  while (await sweepBatch(ctx, before));
}

/** Returns whether there may be more. */
async function sweepBatch(ctx: Pick<AppContext, 'sql' | 'storage' | 'log'>, before: Date): Promise<boolean> {
  const deletedFiles = await ctx.sql<{ sha256: string }[]>`
    select distinct encode(sha256, 'hex') as sha256 from upload where removed_at < ${before} limit ${BATCH_SIZE}`
  let deletedCount = 0
  for (const { sha256 } of deletedFiles) {
    try {
      await deleteContent(ctx, sha256, before)
      deletedCount += 1
    } catch (error) {
      ctx.log.warn({ err: error, sha256 }, 'Could not delete an unused file')
    }
  }
  return deletedCount > 0 && deletedFiles.length === BATCH_SIZE
}

type DeletedFile = { file_id: number; preview: string | null }

async function deleteContent(
  { sql: pool, storage }: Pick<AppContext, 'sql' | 'storage'>,
  sha256: string,
  before: Date,
): Promise<void> {
  const content = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    // The member has removed it; the pool may still use it.
    const removedUploads =
      await sql`delete from upload where sha256 = ${content} and removed_at < ${before} returning 1`
    // Compared by content: an upload that was never analysed has no link to the same file of an import or another
    // member.
    const stillUsed = await sql`
      select 1 from upload where sha256 = ${content}
      union all select 1 from import_file where held_sha256 = ${content}
      union all select 1 from file f join song_version v using (file_id) where f.sha256 = ${content} limit 1`
    if (stillUsed.length > 0 || removedUploads.length === 0) return
    const [file] = await sql<DeletedFile[]>`
      select f.file_id, encode(p.sha256, 'hex') as preview from file f left join preview p using (file_id)
      where f.sha256 = ${content}`
    if (file) await deleteFileRecord(sql, file.file_id)
    await storage.remove('audio', sha256)
    if (file?.preview) await deletePreview(sql, storage, file.preview)
  })
}

/** The same audio with other tags is another file with the same preview. */
export async function deletePreview(sql: Sql, storage: AppContext['storage'], sha256: string): Promise<void> {
  await lockContent(sql, sha256)
  const otherUse = await sql`select 1 from preview where sha256 = ${Buffer.from(sha256, 'hex')} limit 1`
  if (otherUse.length === 0) await storage.remove('previews', sha256, '.mp3')
}
