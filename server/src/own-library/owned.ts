import { createHash } from 'node:crypto'
import { encodeIds, type ownLibrary, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { countInCollection } from '../collections/collections.ts'
import { findPlaylist } from '../library/playlists.ts'
import type { Sql } from '../platform/db.ts'
import { ownedVersions } from './libraries.ts'

type OwnedReply = ReplyOf<typeof ownLibrary.getOwned>
type OwnedRow = { is_file: boolean; songs: number[]; versions: number[] | null }

/** What a member owns. Without ids if it still has the revision that the client knows. */
export async function getOwned(sql: Sql, customerId: number, knownRevision: string): Promise<OwnedReply> {
  const rows = await sql<OwnedRow[]>`
    select is_file, array_agg(distinct entity_id order by entity_id) as songs,
      array_agg(distinct song_version_id order by song_version_id) filter (where song_version_id is not null) as versions
    from (${ownedVersions(sql, customerId)}) owned group by is_file`
  const idsWhere = (isFile: boolean) => {
    const row = rows.find(({ is_file }) => is_file === isFile)
    return { songs: encodeIds(row?.songs ?? []), versions: encodeIds(row?.versions ?? []) }
  }
  const owned = { in_library: idsWhere(true), downloaded: idsWhere(false) }
  const revision = createHash('sha256').update(JSON.stringify(owned)).digest('base64url').slice(0, 22)
  return { revision, owned: revision === knownRevision ? null : owned }
}

type OwnedInput = ParsedInputOf<typeof ownLibrary.countOwned>

/**
 * Counts the songs of a collection or playlist that a member owns. Throws `unknown_playlist` and the errors of
 * `getCollection`.
 */
export async function countOwned(
  ctx: Pick<AppContext, 'sql' | 'settings'>,
  customerId: number,
  { collection, playlist_id }: OwnedInput,
): Promise<number> {
  const { sql } = ctx
  const owned = ownedVersions(sql, customerId)
  if (collection) return countInCollection(ctx, collection, owned)
  await findPlaylist(sql, customerId, playlist_id ?? 0)
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from playlist_song ps join song s using (entity_id)
    where ps.playlist_id = ${playlist_id ?? 0} and s.status = 'published'
      and entity_id in (select entity_id from (${owned}) every_version)`
  return counted?.n ?? 0
}
