import type { merging, ParsedInputOf } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { listSong, type NewSong, versionKind } from './additions.ts'
import { completeSong } from './completion.ts'
import { removeFromLists } from './listing.ts'
import { rebuildAnchorsOf } from './lists.ts'
import {
  type MaintainedSong,
  type MaintainedVersion,
  readMaintainedSongs,
  readMaintainedVersions,
  rejectMissing,
  stateOf,
} from './maintained-songs.ts'
import type { SongMerge } from './merged-songs.ts'
import { mergeCounts } from './moved-counts.ts'
import { areGenresStaffs } from './value-sources.ts'
import { refreshTempoAndKey } from './version-values.ts'

export type MergeSongsParams = ParsedInputOf<typeof merging.mergeSongs>

/** A version as it will be in the remaining song. */
export type PlannedVersion = MaintainedVersion & { label: string; becomes: MaintainedVersion['status'] }

/** A merge to be done, with everything it changes locked. */
export type PlannedMerge = SongMerge & { songs: MaintainedSong[]; places: PlannedVersion[] }

/** Why these songs cannot be merged into this one; '' when they can. */
export function mergeProblem(songs: readonly MaintainedSong[], keepId: number): string {
  const targetSong = songs.find(({ entity_id }) => entity_id === keepId)
  if (!targetSong) return 'The song to keep must be one of the selected songs.'
  if (targetSong.status === 'published' || songs.every(({ status }) => status === targetSong.status)) return ''
  return `“${targetSong.title}” is unpublished. Republish it first or keep another song.`
}

/** Reads the locked songs. Throws `unknown_song`, `cannot_merge`, `conflict` or `duplicate_version_label`. */
export async function planMerge(sql: Sql, params: MergeSongsParams): Promise<PlannedMerge> {
  const ids = [...new Set(params.entity_ids)]
  const into = params.keep_entity_id
  const songs = await readMaintainedSongs(sql, ids)
  rejectMissing(ids, songs)
  const problem = ids.length < 2 ? 'Choose at least two songs.' : mergeProblem(songs, into)
  if (problem) throw new ApiError('cannot_merge', problem)
  const versions = await readMaintainedVersions(sql, ids)
  if (stateOf(songs, versions) !== params.state)
    throw new ApiError('conflict', 'One of these songs has changed since you opened it. Reload to see the changes.')
  const places = planVersions(songs, versions, params)
  rejectCollisions(places)
  return { from: ids.filter((id) => id !== into), into, songs, places }
}

/** The versions of the remaining song first, then those of the others. Unpublished versions stay unpublished. */
function planVersions(
  songs: readonly MaintainedSong[],
  versions: readonly MaintainedVersion[],
  params: MergeSongsParams,
): PlannedVersion[] {
  const targetSong = versions.filter(({ entity_id }) => entity_id === params.keep_entity_id)
  const others = versions.filter(({ entity_id }) => entity_id !== params.keep_entity_id)
  return [...targetSong, ...others].map((version) => {
    const versionChoice = params.versions.find(({ song_version_id }) => song_version_id === version.song_version_id)
    const song = songs.find(({ entity_id }) => entity_id === version.entity_id)
    const isMoved = version.entity_id === params.keep_entity_id || song?.status === 'published'
    const remains = isMoved || version.status !== 'published' ? version.status : (song?.status ?? version.status)
    const becomes = versionChoice?.unpublish && remains === 'published' ? 'unpublished' : remains
    return { ...version, label: versionChoice?.version_label ?? version.version_label, becomes }
  })
}

function rejectCollisions(places: readonly PlannedVersion[]): void {
  const listed = places.filter(({ becomes }) => becomes === 'published')
  const labels = listed.map(({ label }) => label.toLowerCase())
  const [twice] = listed.filter(({ label }, n) => labels.indexOf(label.toLowerCase()) !== n)
  if (twice)
    throw new ApiError(
      'duplicate_version_label',
      `Two versions would be named “${twice.label}”. Rename or unpublish one of them.`,
    )
  if (listed.length === 0 && places.some(({ status }) => status === 'published'))
    throw new ApiError('cannot_merge', 'At least one version must stay published.')
}

type SongRow = NewSong & { entity_id: number; status: string; song_identity: string; song_section_id: number }

/**
 * Merges the catalogue's data: versions, values, genres, counts and former URLs. Other modules move their data
 * before `deleteMergeRecords`. Part of the caller's transaction.
 */
export async function mergeInCatalogue(sql: Sql, plan: PlannedMerge, staffId: number): Promise<void> {
  const { from, into } = plan
  const genres = await sql<{ genre_id: number }[]>`
    select distinct genre_id from song_genre where entity_id = any(${[into, ...from]}::bigint[])`
  for (const entityId of from) await saveMergeSnapshot(sql, entityId, into, staffId)
  await sql`update merged_song set into_entity_id = ${into} where into_entity_id = any(${[...from]}::bigint[])`
  const added = await genresToAdd(sql, plan)
  for (const entityId of from) await removeFromLists(sql, entityId)
  await moveVersions(sql, plan)
  for (const song of await rowsOf(sql, from)) await completeSong(sql, into, song)
  await refreshTempoAndKey(sql, into)
  await mergeCounts(sql, { from, into })
  await deleteEdits(sql, from)
  await sql`delete from song_genre where entity_id = any(${[...from]}::bigint[])`
  const [targetExists] = await sql`select 1 from song where entity_id = ${into} and status = 'published'`
  if (targetExists) await listSong(sql, into, added)
  await rebuildAnchorsOf(
    sql,
    genres.map(({ genre_id }) => genre_id),
  )
}

/** Edits of merged songs can no longer be undone; an edit of only these songs becomes empty. */
const deleteEdits = (sql: Sql, from: readonly number[]) => sql`
  with gone as (delete from song_edit_song where entity_id = any(${[...from]}::bigint[]) returning song_edit_id)
  update song_edit e set songs = songs - gone.n
  from (select song_edit_id, count(*)::int as n from gone group by 1) gone where gone.song_edit_id = e.song_edit_id`

/** Runs last: a remaining reference to a merged song aborts the transaction. */
export async function deleteMergeRecords(sql: Sql, { from }: SongMerge): Promise<void> {
  await sql`delete from song where entity_id = any(${[...from]}::bigint[])`
}

const rowsOf = (sql: Sql, ids: readonly number[]) => sql<SongRow[]>`
  select * from song where entity_id = any(${[...ids]}::bigint[]) order by entity_id`

/** Saves all rows of the song, so that the merge can be undone. */
async function saveMergeSnapshot(sql: Sql, entityId: number, into: number, staffId: number): Promise<void> {
  await sql`
    insert into merged_song (entity_id, into_entity_id, song_section_id, song_identity, merged_by, snapshot)
    select entity_id, ${into}, song_section_id, song_identity, ${staffId}, jsonb_build_object(
      'song', to_jsonb(s),
      'genres', (select coalesce(jsonb_agg(genre_id order by genre_id), '[]') from song_genre g where g.entity_id = s.entity_id),
      'versions', (select coalesce(jsonb_agg(jsonb_build_object('song_version_id', song_version_id, 'version_label', version_label,
          'version_kind_id', version_kind_id, 'position', position, 'status', status, 'unpublished_at', unpublished_at)
          order by position, song_version_id), '[]')
        from song_version v where v.entity_id = s.entity_id),
      'edits', (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from song_edit_song e where e.entity_id = s.entity_id))
    from song s where s.entity_id = ${entityId}`
}

/** Genres chosen by staff for the remaining song are not extended; an unpublished song adds none. */
async function genresToAdd(sql: Sql, { from, into }: SongMerge): Promise<number[]> {
  if (await areGenresStaffs(sql, into)) return []
  const genres = await sql<{ genre_id: number }[]>`
    select distinct genre_id from song_genre where entity_id = any(${[...from]}::bigint[]) and listed_section is not null`
  return genres.map(({ genre_id }) => genre_id)
}

async function moveVersions(sql: Sql, { into, places }: PlannedMerge): Promise<void> {
  for (const [position, place] of places.entries()) {
    const isRenamed = place.label !== place.version_label
    const kind = isRenamed ? await versionKind(sql, place.label, { offered: false }) : null
    const isUnpublished = place.becomes === 'unpublished' && place.status !== 'unpublished'
    await sql`
      update song_version set entity_id = ${into}, position = ${position}, version_label = ${place.label},
        version_kind_id = coalesce(${kind}::int, version_kind_id), status = ${place.becomes},
        unpublished_at = case when ${isUnpublished} then coalesce((select unpublished_at from song s where s.entity_id = song_version.entity_id), now())
          else unpublished_at end
      where song_version_id = ${place.song_version_id}`
  }
}

/** For each version that is removed, the remaining one with its name, which replaces it in members' crates. */
export function findReplaced(places: readonly PlannedVersion[]): { gone: number; stays: number }[] {
  const listed = places.filter(({ becomes }) => becomes === 'published')
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return places
    .filter(({ status, becomes }) => status === 'published' && becomes === 'unpublished')
    .flatMap((gone) => {
      const targetExists =
        listed.find(({ version_label }) => same(version_label, gone.version_label)) ??
        listed.find(({ label }) => same(label, gone.version_label))
      return targetExists ? [{ gone: gone.song_version_id, stays: targetExists.song_version_id }] : []
    })
}
