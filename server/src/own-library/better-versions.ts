import { type membership, ownLibrary, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { songsOf, versionOrder } from '../catalogue/songs.ts'
import { getPreferredVersions } from '../membership/display.ts'
import type { Sql } from '../platform/db.ts'

type BetterReply = ReplyOf<typeof ownLibrary.getBetterVersions>
type SongRow = Omit<ownLibrary.BetterSong, 'song'> & { entity_id: number }

/**
 * The songs in a member's libraries of which the pool has versions that they lack. Songs whose version is unknown are
 * left out: it may be any of them.
 */
export async function listBetterVersions(
  { sql, settings }: Pick<AppContext, 'settings'> & { sql: Sql },
  customerId: number,
  { show, page }: ParsedInputOf<typeof ownLibrary.getBetterVersions>,
): Promise<BetterReply> {
  const preferred = await getPreferredVersions(sql, customerId)
  const limit = ownLibrary.BETTER_SONGS_PER_PAGE
  const [found] = await sql<[{ counts: BetterReply['counts']; songs: SongRow[] }]>`
    with ${songVersions(sql, customerId, preferred)},
    better as materialized (
      select entity_id, bool_or(reason = 'preferred') as has_preferred, bool_or(reason = 'lossless') as has_lossless
      from reasons group by entity_id having bool_or(reason <> 'owned')),
    chosen as (
      select entity_id from better
      where case ${show} when 'preferred' then has_preferred when 'lossless' then has_lossless else true end
      order by entity_id desc limit ${limit} offset ${(page - 1) * limit})
    select
      (select json_build_object('all', count(*), 'preferred', count(*) filter (where has_preferred),
        'lossless', count(*) filter (where has_lossless)) from better) as counts,
      (select coalesce(json_agg(page order by page.entity_id desc), '[]') from (
        select r.entity_id, array_agg(r.song_version_id order by r.song_version_id) filter (where r.is_owned) as owned,
          json_agg(json_build_object('song_version_id', r.song_version_id, 'reason', r.reason)
            order by array_position(array['preferred', 'lossless'], r.reason) nulls last, r.rank, ${versionOrder(sql)})
            filter (where r.reason <> 'owned') as missing
        from chosen join reasons r using (entity_id) join song_version v using (song_version_id)
          join version_kind k on k.version_kind_id = v.version_kind_id
        group by r.entity_id) page) as songs`
  const ids = found.songs.map(({ entity_id }) => entity_id)
  const songs = await songsOf(sql, ids, settings.downloadLimit)
  const byId = new Map(songs.map((song) => [song.entity_id, song]))
  return {
    songs: found.songs.flatMap(({ entity_id, ...lists }) => {
      const song = byId.get(entity_id)
      return song ? { song, ...lists } : []
    }),
    counts: found.counts,
    pagination: { page, perPageLimit: limit, totalCount: found.counts[show] },
  }
}

/**
 * All available versions of the songs of which the member has a file, with the reason why they lack it (`reasons`). What
 * was downloaded is as good as the pool has it.
 */
const songVersions = (sql: Sql, customerId: number, preferred: membership.PreferredVersions | null) => sql`
  files as (
    select e.entity_id, e.song_version_id, ${isLossless(sql)} as is_lossless
    from own_library l join own_library_entry e using (library_id)
    where l.customer_id = ${customerId} and l.is_listed and e.song_version_id is not null),
  owned as (
    select song_version_id, bool_or(is_lossless) as is_lossless from (
      select song_version_id, is_lossless from files
      union all
      select song_version_id, true from download_grant where customer_id = ${customerId} and used > 0) every_file
    group by song_version_id),
  songs as materialized (
    select distinct entity_id from files join song s using (entity_id) where s.status = 'published'),
  ${preferenceLists(sql, preferred)},
  versions as (
    select v.entity_id, v.song_version_id, o.song_version_id is not null as is_owned,
      o.song_version_id is not null and not o.is_lossless and f.format in ('wav', 'aiff', 'flac') as is_better, p.rank,
      p.rank = min(p.rank) over (partition by v.entity_id) as is_first
    from songs join song_version v using (entity_id) left join file f using (file_id)
      left join owned o using (song_version_id) left join lists using (entity_id)
      left join preference p on p.list = coalesce(lists.list, ${DEFAULT_LIST}) and p.version_kind_id = v.version_kind_id
    where v.status = 'published' and f.missing_since is null),
  reasons as materialized (
    select entity_id, song_version_id, is_owned, rank, case
      when is_better then 'lossless'
      when is_owned then 'owned'
      when rank is not null and (is_first or ${preferred?.add_all ?? false}) then 'preferred'
      else 'other' end as reason
    from versions)`

/** After all lists of genres. */
const DEFAULT_LIST = 1000

/** The member's preferred versions by list, and which list applies to a song: see `choosePreferredVersions`. */
function preferenceLists(sql: Sql, preferred: membership.PreferredVersions | null) {
  const ofGenres = preferred?.by_genre ?? []
  const entries = [
    ...ofGenres.flatMap(({ versions }, list) => versions.map((code, rank) => ({ list, rank, code }))),
    ...(preferred?.versions ?? []).map((code, rank) => ({ list: DEFAULT_LIST, rank, code })),
  ]
  return sql`
    preference as materialized (
      select given.list, given.rank, k.version_kind_id
      from unnest(${entries.map(({ list }) => list)}::int[], ${entries.map(({ rank }) => rank)}::int[],
        ${entries.map(({ code }) => code)}::text[]) given (list, rank, code) join version_kind k on k.version_code = given.code),
    lists as materialized (
      select sg.entity_id, min(given.list) as list
      from unnest(${ofGenres.map(({ genre_id }) => genre_id)}::int[], ${ofGenres.map((_, list) => list)}::int[]) given (genre_id, list)
      join song_genre sg using (genre_id) join songs using (entity_id) group by sg.entity_id)`
}

/** By the extension; .m4a is lossless (ALAC) from 500 kbit/s. */
const isLossless = (sql: Sql) => sql`(
  e.path_parts[cardinality(e.path_parts)] ~* '\\.(wav|wave|aif|aiff|aifc|flac|alac)$'
  or e.path_parts[cardinality(e.path_parts)] ~* '\\.m4a$' and coalesce(e.bytes * 8 / nullif(e.duration_seconds, 0) >= 500000, false))`
