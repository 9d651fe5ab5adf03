import { digging, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { songsOf } from '../catalogue/songs.ts'
import { isMuted, listMutedVersionCodes } from '../library/mutes.ts'
import type { Sql } from '../platform/db.ts'
import { findBeatGrids } from '../player/beat-grid.ts'
import { type DigList, findDigList } from './dig-lists.ts'

type DiggingContext = Pick<AppContext, 'settings'> & { sql: Sql }

/** Returns the next songs of a list for a member. Throws the same errors as {@link findDigList}. */
export async function listDigSongs(
  ctx: DiggingContext,
  customerId: number,
  list: string,
): Promise<ReplyOf<typeof digging.digSongs>> {
  const { sql, settings } = ctx
  const { title, songs } = await findDigList(ctx, customerId, list)
  const [open, decisions, mutedCodes] = await Promise.all([
    findOpenSongs(sql, customerId, { list, songs }),
    countDecisions(sql, customerId, list),
    listMutedVersionCodes(sql, customerId),
  ])
  const shown = await songsOf(
    sql,
    open.map(({ entity_id }) => entity_id),
    settings.downloadLimit,
  )
  const offered = shown.map((song) => ({
    ...song,
    version: song.version.filter(({ version_code }) => !mutedCodes.includes(version_code)),
  }))
  const structures = await findStructures(
    sql,
    offered.flatMap(({ version }) => version.map(({ song_version_id }) => song_version_id)),
  )
  return {
    title,
    songs: offered.map((song) => ({
      song,
      structure: song.version.flatMap(({ song_version_id }) => structures.get(song_version_id) ?? []),
    })),
    left: open[0]?.left ?? 0,
    decisions,
  }
}

type OpenSong = { entity_id: number; left: number }

/**
 * The first songs of a list that the member has not decided about and does not have: without songs that are muted, in
 * the crate or downloaded. `left` counts all of them.
 */
const findOpenSongs = (sql: Sql, customerId: number, { list, songs }: Pick<DigList, 'songs'> & { list: string }) =>
  sql<OpenSong[]>`
    with listed as materialized (${songs})
    select s.entity_id, (count(*) over ())::int as left from listed join song s using (entity_id)
    where s.status = 'published' and not ${isMuted(sql, customerId)}
      and not exists (select 1 from dig_decision d
        where d.customer_id = ${customerId} and d.list = ${list} and d.entity_id = s.entity_id)
      and not exists (select 1 from crate_item c where c.customer_id = ${customerId} and c.entity_id = s.entity_id)
      and not exists (select 1 from song_version v join download_grant g using (song_version_id)
        where v.entity_id = s.entity_id and g.customer_id = ${customerId} and g.used > 0)
    order by listed.n limit ${digging.DIG_SONGS}`

async function countDecisions(sql: Sql, customerId: number, list: string) {
  const rows = await sql<{ action: digging.DigAction; n: number }[]>`
    select action, count(*)::int as n from dig_decision
    where customer_id = ${customerId} and list = ${list} group by action`
  const counts = { skip: 0, crate: 0, favourite: 0, never: 0 }
  for (const { action, n } of rows) counts[action] = n
  return counts
}

type Structure = digging.DigSong['structure'][number]

/** Returns drop and energy of versions, as far as they are known. */
async function findStructures(sql: Sql, versionIds: readonly number[]): Promise<Map<number, Structure>> {
  const files = await sql<{ song_version_id: number; file_id: number }[]>`
    select song_version_id, file_id from song_version
    where song_version_id = any(${[...versionIds]}::bigint[]) and file_id is not null`
  const grids = await findBeatGrids(
    sql,
    files.map(({ file_id }) => file_id),
  )
  return new Map(
    files.flatMap(({ song_version_id, file_id }) => {
      const grid = grids.get(file_id)
      if (!grid) return []
      const drop_seconds = grid.cues.find(({ kind }) => kind === 'drop')?.at_seconds ?? null
      return [[song_version_id, { song_version_id, drop_seconds, energy: grid.energy }]]
    }),
  )
}
