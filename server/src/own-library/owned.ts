import { createHash } from 'node:crypto'
import { encodeIds, type ownLibrary, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { currentGenre } from '../catalogue/genres.ts'
import { isVisible } from '../curation/visibility.ts'
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

type ListCount = ReplyOf<typeof ownLibrary.countOwned>['counts'][number]
type ListContext = Pick<AppContext, 'settings'> & { sql: Sql }

/** Counts the songs of lists, and those that the member owns. Lists that the member cannot see are left out. */
export async function countOwned(
  { sql, settings }: ListContext,
  customerId: number,
  lists: readonly string[],
): Promise<ListCount[]> {
  const asked = [...new Set(lists)].map((list) => {
    const [kind = '', id] = list.split('-')
    return { list, kind, id: Number(id) }
  })
  const idsOf = (kind: string) => asked.filter((one) => one.kind === kind).map(({ id }) => id)
  const genres = await Promise.all(idsOf('genre').map(async (id) => ({ id, genre_id: await currentGenre(sql, id) })))
  const counts = await sql<ListCount[]>`
    with owned as materialized (select distinct entity_id from (${ownedVersions(sql, customerId)}) every_version),
    listed as (
      select 'spotlight-' || l.curated_list_id as list, c.entity_id
      from curated_list l join curated_list_song c using (curated_list_id)
      where l.curated_list_id = any(${idsOf('spotlight')}::bigint[]) and ${isVisible(sql)} and ${!settings.hidden.has('spotlights')}
      union all
      select 'top20-' || t.top20_track_id, c.entity_id from top20 t join top20_song c using (top20_track_id)
      where t.top20_track_id = any(${idsOf('top20')}::bigint[]) and ${isVisible(sql)} and ${!settings.hidden.has('top20')}
      union all
      select 'playlist-' || p.playlist_id, ps.entity_id from playlist p join playlist_song ps using (playlist_id)
      where p.playlist_id = any(${idsOf('playlist')}::bigint[]) and p.customer_id = ${customerId} and p.deleted_at is null)
    select list, count(*)::int as songs, count(o.entity_id)::int as owned
    from listed join song s using (entity_id) left join owned o using (entity_id)
    where s.status = 'published' group by list
    union all
    select 'genre-' || given.id, (select coalesce(sum(songs), 0)::int from genre_counter g where g.genre_id = given.genre_id),
      (select count(*)::int from owned join song_genre sg using (entity_id)
        where sg.genre_id = given.genre_id and sg.listed_section is not null)
    from unnest(${genres.map(({ id }) => id)}::int[], ${genres.map(({ genre_id }) => genre_id)}::int[]) given (id, genre_id)
    where exists (select 1 from genre g where g.genre_id = given.genre_id)`
  const order = new Map(asked.map(({ list }, n) => [list, n]))
  return [...counts].sort((a, b) => order.get(a.list)! - order.get(b.list)!)
}
