import type { merging, ParsedInputOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { listSong, type NewSong, versionKind } from './additions.ts'
import { completeSong, takeSurestAnalysis } from './completion.ts'
import { takeOffLists } from './listing.ts'
import { rebuildAnchorsOf } from './lists.ts'
import type { Merging } from './merged-songs.ts'
import { mergeInLists } from './merging-lists.ts'
import { mergeCounts } from './moved-counts.ts'
import { areGenresStaffs } from './origins.ts'
import {
  type OwnVersion,
  readUpkeepSongs,
  readUpkeepVersions,
  refuseMissing,
  stateOf,
  type UpkeepSong,
} from './upkeep-songs.ts'

export type MergeWish = ParsedInputOf<typeof merging.mergeSongs>

/** A version as it is to be in the song that stays. */
export type Place = OwnVersion & { label: string; becomes: OwnVersion['status'] }

/** What a merge is about to do, with everything it touches held. */
export type PlannedMerge = Merging & { songs: UpkeepSong[]; places: Place[] }

/** Why these cannot be merged into this one; '' where they can. */
export function mergeObstacle(songs: readonly UpkeepSong[], keepId: number): string {
  const kept = songs.find(({ entity_id }) => entity_id === keepId)
  if (!kept) return 'The song to keep must be one of the selected songs.'
  if (kept.status === 'published' || songs.every(({ status }) => status === kept.status)) return ''
  return `“${kept.title}” is unpublished. Republish it first or keep another song.`
}

/** Reads what is held now. Refuses `unknown_song`, `cannot_merge`, `conflict` and `duplicate_version_label`. */
export async function planMerge(sql: Sql, wish: MergeWish): Promise<PlannedMerge> {
  const ids = [...new Set(wish.entity_ids)]
  const into = wish.keep_entity_id
  const songs = await readUpkeepSongs(sql, ids)
  refuseMissing(ids, songs)
  const obstacle = ids.length < 2 ? 'Choose at least two songs.' : mergeObstacle(songs, into)
  if (obstacle) throw new Refusal('cannot_merge', obstacle)
  const versions = await readUpkeepVersions(sql, ids)
  if (stateOf(songs, versions) !== wish.state)
    throw new Refusal('conflict', 'One of these songs has changed since you opened it. Reload to see the changes.')
  const places = placesOf(songs, versions, wish)
  refuseCollisions(places)
  return { from: ids.filter((id) => id !== into), into, songs, places }
}

/** The versions of the one that stays first, then those of the others. What is not in the pool does not come in by a merge. */
function placesOf(songs: readonly UpkeepSong[], versions: readonly OwnVersion[], wish: MergeWish): Place[] {
  const kept = versions.filter(({ entity_id }) => entity_id === wish.keep_entity_id)
  const others = versions.filter(({ entity_id }) => entity_id !== wish.keep_entity_id)
  return [...kept, ...others].map((version) => {
    const choice = wish.versions.find(({ song_version_id }) => song_version_id === version.song_version_id)
    const song = songs.find(({ entity_id }) => entity_id === version.entity_id)
    const comesOver = version.entity_id === wish.keep_entity_id || song?.status === 'published'
    const stands = comesOver || version.status !== 'published' ? version.status : (song?.status ?? version.status)
    const becomes = choice?.withdraw && stands === 'published' ? 'withdrawn' : stands
    return { ...version, label: choice?.version_label ?? version.version_label, becomes }
  })
}

function refuseCollisions(places: readonly Place[]): void {
  const listed = places.filter(({ becomes }) => becomes === 'published')
  const labels = listed.map(({ label }) => label.toLowerCase())
  const [twice] = listed.filter(({ label }, n) => labels.indexOf(label.toLowerCase()) !== n)
  if (twice)
    throw new Refusal(
      'duplicate_version_label',
      `Two versions would be named “${twice.label}”. Rename or unpublish one of them.`,
    )
  if (listed.length === 0 && places.some(({ status }) => status === 'published'))
    throw new Refusal('cannot_merge', 'At least one version must stay published.')
}

type SongRow = NewSong & { entity_id: number; status: string; song_identity: string; song_section_id: number }

/**
 * Brings the catalogue's side together: versions, values, genres, lists, counts, and where the addresses lead. What other
 * rooms have of the songs follows before `forgetMerged`. Part of the caller's transaction.
 */
export async function mergeInCatalogue(sql: Sql, plan: PlannedMerge, staffId: number): Promise<void> {
  const { from, into } = plan
  const genres = await sql<{ genre_id: number }[]>`
    select distinct genre_id from song_genre where entity_id = any(${[into, ...from]}::bigint[])`
  for (const entityId of from) await keepWhatItWas(sql, entityId, into, staffId)
  await sql`update merged_song set into_entity_id = ${into} where into_entity_id = any(${[...from]}::bigint[])`
  const added = await genresToTake(sql, plan)
  for (const entityId of from) await takeOffLists(sql, entityId)
  await moveVersions(sql, plan)
  for (const song of await rowsOf(sql, from)) await completeSong(sql, into, song)
  await takeSurestAnalysis(sql, into)
  await mergeInLists(sql, { from, into })
  await mergeCounts(sql, { from, into })
  await sql`delete from chart_snapshot where entity_id = any(${[...from]}::bigint[])`
  await forgetEdits(sql, from)
  await sql`delete from song_genre where entity_id = any(${[...from]}::bigint[])`
  const [stays] = await sql`select 1 from song where entity_id = ${into} and status = 'published'`
  if (stays) await listSong(sql, into, added)
  await rebuildAnchorsOf(
    sql,
    genres.map(({ genre_id }) => genre_id),
  )
}

/** What staff changed of songs that go is not undone any more; an edit of these alone is none. */
const forgetEdits = (sql: Sql, from: readonly number[]) => sql`
  with gone as (delete from song_edit_song where entity_id = any(${[...from]}::bigint[]) returning song_edit_id)
  update song_edit e set songs = songs - gone.n
  from (select song_edit_id, count(*)::int as n from gone group by 1) gone where gone.song_edit_id = e.song_edit_id`

/** After everything else: whatever still refers to a song that goes ends the transaction. */
export async function forgetMerged(sql: Sql, { from }: Merging): Promise<void> {
  await sql`delete from song where entity_id = any(${[...from]}::bigint[])`
}

const rowsOf = (sql: Sql, ids: readonly number[]) => sql<SongRow[]>`
  select * from song where entity_id = any(${[...ids]}::bigint[]) order by entity_id`

/** All that is the song's own, as its rows are: for taking it out again. */
async function keepWhatItWas(sql: Sql, entityId: number, into: number, staffId: number): Promise<void> {
  await sql`
    insert into merged_song (entity_id, into_entity_id, song_section_id, song_identity, merged_by, was)
    select entity_id, ${into}, song_section_id, song_identity, ${staffId}, jsonb_build_object(
      'song', to_jsonb(s),
      'genres', (select coalesce(jsonb_agg(genre_id order by genre_id), '[]') from song_genre g where g.entity_id = s.entity_id),
      'versions', (select coalesce(jsonb_agg(jsonb_build_object('song_version_id', song_version_id, 'version_label', version_label,
          'version_kind_id', version_kind_id, 'position', position, 'status', status, 'withdrawn_at', withdrawn_at)
          order by position, song_version_id), '[]')
        from song_version v where v.entity_id = s.entity_id),
      'edits', (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from song_edit_song e where e.entity_id = s.entity_id))
    from song s where s.entity_id = ${entityId}`
}

/** What staff chose for the song that stays is not added to; a song that is not in the pool brings nothing. */
async function genresToTake(sql: Sql, { from, into }: Merging): Promise<number[]> {
  if (await areGenresStaffs(sql, into)) return []
  const genres = await sql<{ genre_id: number }[]>`
    select distinct genre_id from song_genre where entity_id = any(${[...from]}::bigint[]) and listed_section is not null`
  return genres.map(({ genre_id }) => genre_id)
}

async function moveVersions(sql: Sql, { into, places }: PlannedMerge): Promise<void> {
  for (const [position, place] of places.entries()) {
    const isRenamed = place.label !== place.version_label
    const kind = isRenamed ? await versionKind(sql, place.label, { offered: false }) : null
    const leaves = place.becomes === 'withdrawn' && place.status !== 'withdrawn'
    await sql`
      update song_version set entity_id = ${into}, position = ${position}, version_label = ${place.label},
        version_kind_id = coalesce(${kind}::int, version_kind_id), status = ${place.becomes},
        withdrawn_at = case when ${leaves} then coalesce((select withdrawn_at from song s where s.entity_id = song_version.entity_id), now())
          else withdrawn_at end
      where song_version_id = ${place.song_version_id}`
  }
}

/** For each version that leaves, the one of its name that stays: what members put into their crates goes on with it. */
export function replacedBy(places: readonly Place[]): { gone: number; stays: number }[] {
  const listed = places.filter(({ becomes }) => becomes === 'published')
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return places
    .filter(({ status, becomes }) => status === 'published' && becomes === 'withdrawn')
    .flatMap((gone) => {
      const stays =
        listed.find(({ version_label }) => same(version_label, gone.version_label)) ??
        listed.find(({ label }) => same(label, gone.version_label))
      return stays ? [{ gone: gone.song_version_id, stays: stays.song_version_id }] : []
    })
}
