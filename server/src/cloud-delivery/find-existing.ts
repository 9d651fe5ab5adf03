import type { AppContext } from '../app-context.ts'
import type { Sql } from '../platform/db.ts'
import type { PreparedFile } from './prepare-file.ts'
import type { CloudFolder, CloudProvider, RemoteFile, UploadTarget } from './provider.ts'
import type { Lease, QueuedFile } from './queue.ts'
import { hashFile } from './upload-file.ts'

/** After so many other files with the same name, the provider chooses the name. */
const MAX_SAME_NAMES = 20

type Search = { lease: Lease; file: QueuedFile; prepared: PreparedFile; folder: CloudFolder; provider: CloudProvider }

/**
 * Finds the file in the member’s storage, so that it is neither sent nor counted twice: the one that was sent before, also
 * if the member has moved it or DJ software has written to it, or one with the same name and content. Otherwise returns
 * the path it can have: files with other content are never replaced.
 */
export async function findExisting(
  ctx: AppContext,
  search: Search,
): Promise<{ file: RemoteFile } | { target: UploadTarget }> {
  const { lease, file, prepared, folder, provider } = search
  for (const id of await findSentBefore(ctx.sql, lease, file, prepared.tagged.etag)) {
    const found = await folder.findById(id)
    if (found) return { file: found }
  }
  const { target } = prepared
  let expected: string | undefined
  for (let n = 1; n <= MAX_SAME_NAMES; n++) {
    const path = numberedPath(target.path, n)
    const candidates = await folder.findByPath(path)
    if (candidates.length === 0) return { target: { ...target, path } }
    for (const candidate of candidates) {
      if (candidate.bytes !== target.bytes) continue
      expected ??= await hashFile(ctx, provider, prepared)
      if (candidate.hash === expected) return { file: candidate }
    }
  }
  return { target }
}

/** The ids of the last files with exactly these bytes that were sent to this connection. */
async function findSentBefore(
  sql: Sql,
  { connection_id }: Lease,
  { song_version_id }: QueuedFile,
  etag: string,
): Promise<string[]> {
  const rows = await sql<{ remote_id: string }[]>`
    select remote_id from cloud_delivery_file
    where connection_id = ${connection_id} and song_version_id = ${song_version_id} and etag = ${etag}
      and state in ('sent', 'already_there') and remote_id is not null
    group by remote_id order by max(delivery_file_id) desc limit 3`
  return rows.map(({ remote_id }) => remote_id)
}

/** `House/Night.mp3`, `House/Night (2).mp3` and so on. */
function numberedPath(path: string, n: number): string {
  if (n === 1) return path
  return path.replace(/(\.[^./]*)?$/, ` (${n})$1`)
}
