import { forgetFile, lockContent } from '../audio/shelf.ts'
import type { Sql } from '../platform/db.ts'
import type { World } from '../world.ts'

/** A file nobody wants any more is kept so long, for a slip of the hand. */
const KEPT_DAYS = 30
const AT_ONCE = 200

/**
 * Throws away files that were removed a while ago and stand in no song, be it in the pool, on its way there or in
 * somebody's history.
 */
export async function sweepRemoved(world: Pick<World, 'sql' | 'storage' | 'now' | 'log'>): Promise<void> {
  const before = new Date(world.now().getTime() - KEPT_DAYS * 24 * 3600 * 1000)
  while (await sweepSome(world, before));
}

/** Answers whether there may be more. */
async function sweepSome(world: Pick<World, 'sql' | 'storage' | 'log'>, before: Date): Promise<boolean> {
  const gone = await world.sql<{ sha256: string }[]>`
    select distinct encode(sha256, 'hex') as sha256 from upload where removed_at < ${before} limit ${AT_ONCE}`
  let forgotten = 0
  for (const { sha256 } of gone) {
    try {
      await forgetContent(world, sha256, before)
      forgotten += 1
    } catch (error) {
      world.log.warn({ err: error, sha256 }, 'Could not delete an unused file')
    }
  }
  return forgotten > 0 && gone.length === AT_ONCE
}

type Forgotten = { file_id: number; preview: string | null }

async function forgetContent(
  { sql: pool, storage }: Pick<World, 'sql' | 'storage'>,
  sha256: string,
  before: Date,
): Promise<void> {
  const content = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    // Who removed it has removed it; the pool may have it still.
    const removed = await sql`delete from upload where sha256 = ${content} and removed_at < ${before} returning 1`
    // By its content: an upload that was never analysed does not know the file an import or somebody else brought.
    const wanted = await sql`
      select 1 from upload where sha256 = ${content}
      union all select 1 from import_file where held_sha256 = ${content}
      union all select 1 from file f join song_version v using (file_id) where f.sha256 = ${content} limit 1`
    if (wanted.length > 0 || removed.length === 0) return
    const [file] = await sql<Forgotten[]>`
      select f.file_id, encode(p.sha256, 'hex') as preview from file f left join preview p using (file_id)
      where f.sha256 = ${content}`
    if (file) await forgetFile(sql, file.file_id)
    await storage.remove('audio', sha256)
    if (file?.preview) await forgetPreview(sql, storage, file.preview)
  })
}

/** The same sound under other tags is another file with the same preview. */
export async function forgetPreview(sql: Sql, storage: World['storage'], sha256: string): Promise<void> {
  await lockContent(sql, sha256)
  const shared = await sql`select 1 from preview where sha256 = ${Buffer.from(sha256, 'hex')} limit 1`
  if (shared.length === 0) await storage.remove('previews', sha256, '.mp3')
}
