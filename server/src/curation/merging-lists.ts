import type { merging } from '@dubplate/contract'
import type { SongMerge } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'
import { isPinned } from './visibility.ts'

/**
 * In spotlights, top 20s and pins, the remaining song takes the best position of all merged songs; later positions move
 * up. Part of the caller's transaction.
 */
export async function mergeInLists(sql: Sql, songMerge: SongMerge): Promise<void> {
  await mergeInCuratedLists(sql, songMerge)
  await mergeInTop20s(sql, songMerge)
  await mergePins(sql, songMerge)
}

/** The lists that contain one of the merged songs, locked because someone may be editing them. */
async function mergeInCuratedLists(sql: Sql, { from, into }: SongMerge): Promise<void> {
  const lists = await sql<{ curated_list_id: number }[]>`
    update curated_list set version = version + 1, changed_at = now()
    where curated_list_id in (select curated_list_id from curated_list_song where entity_id = any(${[...from]}::bigint[]))
    returning curated_list_id`
  for (const { curated_list_id } of lists) {
    // A song without a date is older than those with one. Sorted, so that all old rows are deleted before the first insert.
    await sql`
      with old as (
        delete from curated_list_song where curated_list_id = ${curated_list_id} returning position, entity_id, added_at),
      placed as (
        select case when entity_id = any(${[...from]}::bigint[]) then ${into}::bigint else entity_id end as entity_id,
          min(position) as position, case when count(added_at) = count(*) then min(added_at) end as added_at
        from old group by 1)
      insert into curated_list_song (curated_list_id, position, entity_id, added_at)
      select ${curated_list_id}, row_number() over (order by position), entity_id, added_at from placed order by position`
  }
}

async function mergeInTop20s(sql: Sql, { from, into }: SongMerge): Promise<void> {
  const lists = await sql<{ top20_track_id: number }[]>`
    update top20 set version = version + 1, changed_at = now()
    where top20_track_id in (select top20_track_id from top20_song where entity_id = any(${[...from]}::bigint[]))
    returning top20_track_id`
  for (const { top20_track_id } of lists) {
    const songs = await sql<{ entity_id: number; position: number }[]>`
      delete from top20_song where top20_track_id = ${top20_track_id} returning rank as position, entity_id`
    await sql`
      insert into top20_song (top20_track_id, rank, entity_id)
      select ${top20_track_id}, n, entity_id
      from unnest(${afterwards(songs, { from, into })}::bigint[]) with ordinality placed (entity_id, n)`
  }
}

/** The songs of a list in order, with the remaining song at the first position of any merged song. */
function afterwards(rows: readonly { entity_id: number; position?: number }[], { from, into }: SongMerge): number[] {
  const inOrder = rows.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  return [...new Set(inOrder.map(({ entity_id }) => (from.includes(entity_id) ? into : entity_id)))]
}

/** A rank that becomes free is filled from the chart again. An expired pin does not count. */
async function mergePins(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`delete from trending_override where entity_id = any(${[into, ...from]}::bigint[]) and not ${isPinned(sql)}`
  await sql`
    delete from trending_override where entity_id = any(${[into, ...from]}::bigint[]) and rank > (
      select min(rank) from trending_override where entity_id = any(${[into, ...from]}::bigint[]))`
  await sql`update trending_override set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

type ListMoves = Pick<merging.MergeConsequences, 'lists' | 'trending'>

/** Returns the lists that contain merged songs, and the number of their pins in trending. */
export async function countListMoves(sql: Sql, { from, into }: SongMerge): Promise<ListMoves> {
  const ids = sql`${[...from]}::bigint[]`
  const both = sql`entity_id = any(${[...from, into]}::bigint[])`
  const [counted] = await sql<{ pins: number; doubles: number }[]>`
    select count(*) filter (where entity_id <> ${into})::int as pins, greatest(count(*) - 1, 0)::int as doubles
    from trending_override where ${both}`
  const { pins = 0, doubles = 0 } = counted ?? {}
  const lists = await sql<{ title: string; double: boolean }[]>`
    select title, n + has > 1 as double from (
      select l.title, count(*) filter (where entity_id = any(${ids})) as n, count(*) filter (where entity_id = ${into}) as has
      from curated_list l join curated_list_song using (curated_list_id)
      where ${both} group by l.curated_list_id
      union all
      select t.title, count(*) filter (where entity_id = any(${ids})), count(*) filter (where entity_id = ${into})
      from top20 t join top20_song using (top20_track_id)
      where ${both} group by t.top20_track_id) counted
    where n > 0 order by title`
  return { trending: { rows: pins, doubles: pins === 0 ? 0 : doubles }, lists: [...lists] }
}
