import type { merging, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { countNewSong, listSong } from './additions.ts'
import { rebuildAnchorsOf } from './lists.ts'
import {
  type MaintainedVersion,
  readMaintainedSongs,
  readMaintainedVersions,
  rejectMissing,
  stateOf,
  toVersion,
  unknownSongError,
} from './maintained-songs.ts'
import { findMergedSong, type SongSplit } from './merged-songs.ts'
import { indexSong } from './search-index.ts'
import { refreshTempoAndKey } from './version-values.ts'
import { identityOf } from './words.ts'

type SnapshotVersion = {
  song_version_id: number
  version_label: string
  version_kind_id: number
  position: number
  status: string
  unpublished_at: string | null
}

/** A song as stored in `merged_song.snapshot`. */
type MergeSnapshot = {
  song: { title: string; artist: string; song_section_id: number }
  genres: number[]
  versions: SnapshotVersion[]
  edits: object[]
}

/** The preview of a split. Throws `unknown_song`. */
export async function buildSplitPreview(sql: Sql, entityId: number) {
  const songs = await readMaintainedSongs(sql, [entityId])
  const [song] = songs
  if (!song) throw unknownSongError()
  const versions = await readMaintainedVersions(sql, [entityId])
  return {
    song,
    versions: versions.map(toVersion),
    merges: await mergesInto(sql, entityId, versions),
    state: stateOf(songs, versions),
  }
}

type MergeRow = {
  entity_id: number
  snapshot: MergeSnapshot
  merged_at: Date
  by_id: number | null
  by_name: string | null
}

async function mergesInto(
  sql: Sql,
  entityId: number,
  versions: readonly MaintainedVersion[],
): Promise<ReplyOf<typeof merging.getSplit>['merges']> {
  const rows = await sql<MergeRow[]>`
    select m.entity_id, m.snapshot, m.merged_at, m.merged_by as by_id, c.dj_name as by_name
    from merged_song m left join customer c on c.customer_id = m.merged_by
    where m.into_entity_id = ${entityId} order by m.merged_at desc, m.entity_id`
  return rows.map(({ entity_id, snapshot, merged_at, by_id, by_name }) => {
    const own = ownVersions(snapshot, versions)
    return {
      entity_id,
      title: snapshot.song.title,
      artist: snapshot.song.artist,
      merged_at: merged_at.toISOString(),
      merged_by: by_id === null ? null : { customer_id: by_id, dj_name: by_name ?? '' },
      versions: own.map(({ song_version_id }) => song_version_id),
      blocked_reason: undoProblem(own, versions),
    }
  })
}

/** The versions of the merged song that are still in the remaining one. */
const ownVersions = (snapshot: MergeSnapshot, versions: readonly MaintainedVersion[]): SnapshotVersion[] =>
  snapshot.versions.filter((own) => versions.some(({ song_version_id }) => song_version_id === own.song_version_id))

function undoProblem(own: readonly SnapshotVersion[], versions: readonly MaintainedVersion[]): string {
  if (own.length === 0) return 'Its versions have since been moved to other songs.'
  const remainingVersions = versions.filter(
    ({ song_version_id }) => !own.some((one) => one.song_version_id === song_version_id),
  )
  const isListed = versions.some(({ is_listed }) => is_listed)
  if (remainingVersions.length === 0 || (isListed && !remainingVersions.some(({ is_listed }) => is_listed)))
    return 'The song it was merged into would have no versions left.'
  return ''
}

export type SplitSongParams = ParsedInputOf<typeof merging.splitSong>

/**
 * Makes a new song from versions of another one, with its values and genres. `move` moves the data of other modules
 * and the counts. Part of the caller's transaction, with the song locked. Throws `unknown_song`,
 * `unknown_version`, `conflict`, `no_version_left` or `already_in_catalogue`.
 */
export async function splitInCatalogue(
  sql: Sql,
  params: SplitSongParams,
  move: (songSplit: SongSplit) => Promise<void>,
): Promise<number> {
  const songs = await readMaintainedSongs(sql, [params.entity_id])
  rejectMissing([params.entity_id], songs)
  const versions = await readMaintainedVersions(sql, [params.entity_id])
  if (stateOf(songs, versions) !== params.state)
    throw new ApiError('conflict', 'Someone else changed this song. Reload to see the changes.')
  rejectWrongVersions(versions, params.song_version_ids)
  const into = await createSplitSong(sql, params)
  await sql`
    insert into song_genre (entity_id, genre_id, listed_section)
    select ${into}, genre_id, null from song_genre where entity_id = ${params.entity_id}`
  const songSplit = { versionIds: params.song_version_ids, from: params.entity_id, into }
  await moveSplitVersions(sql, songSplit, move)
  await copyListings(sql, songSplit)
  return into
}

function rejectWrongVersions(versions: readonly MaintainedVersion[], ids: readonly number[]): void {
  if (ids.some((id) => !versions.some(({ song_version_id }) => song_version_id === id)))
    throw new ApiError(
      'unknown_version',
      'One of these versions is no longer part of this song. Reload to see the changes.',
    )
  const [movedVersions, remainingVersions] = [true, false].map((isMoved) =>
    versions.filter(({ song_version_id }) => ids.includes(song_version_id) === isMoved),
  )
  if (!remainingVersions?.some(({ is_listed }) => is_listed) && versions.some(({ is_listed }) => is_listed))
    throw new ApiError('no_version_left', 'Keep at least one published version in the original song.')
  if (!remainingVersions?.length || !movedVersions?.length)
    throw new ApiError('no_version_left', 'Keep at least one version in the original song.')
}

/**
 * Copies the values of the original song; artist and title are set by staff. A range that was set for the original song
 * loses its source, so that the new one is derived from its versions.
 */
async function createSplitSong(sql: Sql, { entity_id, title, artist }: SplitSongParams): Promise<number> {
  const [of] = await sql<{ song_section_id: number }[]>`select song_section_id from song where entity_id = ${entity_id}`
  const identity = identityOf({ title, artist })
  const section = of?.song_section_id ?? 1
  const [added] = (await findMergedSong(sql, section, identity))
    ? []
    : await sql<{ entity_id: number }[]>`
      insert into song (title, artist, album, label, min_bpm, max_bpm, bpm_source, song_key, key_position, key_source, year,
        song_section_id, status, artwork_id, song_identity, created_at, origins, unpublished_at)
      select ${title}, ${artist}, album, label, min_bpm, max_bpm, case when min_bpm = max_bpm then bpm_source end, song_key, key_position, key_source, year,
        song_section_id, status, artwork_id, ${identity}, created_at,
        origins || ${sql.json({ title: 'staff', artist: 'staff' })}, unpublished_at
      from song where entity_id = ${entity_id}
      on conflict (song_section_id, song_identity) do nothing returning entity_id`
  if (!added)
    throw new ApiError(
      'already_in_catalogue',
      `“${title}” by ${artist} already exists. Choose another title or merge the two songs.`,
    )
  return added.entity_id
}

async function moveSplitVersions(
  sql: Sql,
  songSplit: SongSplit,
  move: (songSplit: SongSplit) => Promise<void>,
): Promise<void> {
  await sql`
    update song_version set entity_id = ${songSplit.into} where song_version_id = any(${[...songSplit.versionIds]}::bigint[])`
  await move(songSplit)
}

async function copyListings(sql: Sql, { from, into }: Pick<SongSplit, 'from' | 'into'>): Promise<void> {
  await refreshTempoAndKey(sql, from)
  await refreshTempoAndKey(sql, into)
  const genres = await sql<{ genre_id: number }[]>`select genre_id from song_genre where entity_id = ${into}`
  const genreIds = genres.map(({ genre_id }) => genre_id)
  const [song] = await sql<{ song_section_id: number }[]>`
    select song_section_id from song where entity_id = ${into} and status = 'published'`
  if (song) {
    await sql`delete from song_genre where entity_id = ${into}`
    await countNewSong(sql, song.song_section_id)
    await listSong(sql, into, genreIds)
  }
  await sql`update song set revision = revision + 1 where entity_id = ${from}`
  await indexSong(sql, from)
  await rebuildAnchorsOf(sql, genreIds)
}

/**
 * Undoes a merge: restores a song's id, values, genres and versions, with what its versions have gained since. Part of
 * the caller's transaction, with the song it was merged into locked. Throws `unknown_song`, `no_version_left` or
 * `already_in_catalogue`.
 */
export async function undoInCatalogue(
  sql: Sql,
  entityId: number,
  move: (songSplit: SongSplit) => Promise<void>,
): Promise<number> {
  const [merged] = await sql<{ into_entity_id: number; snapshot: MergeSnapshot; merged_at: Date }[]>`
    delete from merged_song where entity_id = ${entityId} returning into_entity_id, snapshot, merged_at`
  if (!merged) throw new ApiError('unknown_song', 'This merge has already been undone.')
  const { into_entity_id: from, snapshot, merged_at } = merged
  const versions = await readMaintainedVersions(sql, [from])
  const own = ownVersions(snapshot, versions)
  const blocked_reason = undoProblem(own, versions)
  if (blocked_reason) throw new ApiError('no_version_left', blocked_reason)
  await restoreSnapshot(sql, snapshot)
  const songSplit = { versionIds: own.map(({ song_version_id }) => song_version_id), from, into: entityId }
  await moveSplitVersions(sql, songSplit, move)
  await versionsAsBefore(sql, own, merged_at).catch(rejectTaken)
  await copyListings(sql, songSplit)
  return from
}

async function restoreSnapshot(sql: Sql, { song, genres, edits }: MergeSnapshot): Promise<void> {
  const [added] = await sql<{ entity_id: number }[]>`
    insert into song
    select (jsonb_populate_record(null::song, ${sql.json(song as never)} || jsonb_build_object('artwork_id',
      (select artwork_id from artwork where artwork_id = (${sql.json(song as never)} ->> 'artwork_id')::bigint)))).*
    on conflict (song_section_id, song_identity) do nothing returning entity_id`
  if (!added)
    throw new ApiError(
      'already_in_catalogue',
      `Another song named “${song.title}” by ${song.artist} has since been published.`,
    )
  await sql`
    insert into song_genre (entity_id, genre_id)
    select ${added.entity_id}, genre_id from genre where genre_id = any(${genres}::int[])`
  await sql`
    with back as (
      insert into song_edit_song
      select e.* from jsonb_populate_recordset(null::song_edit_song, ${sql.json(edits as never)}) e
      join song_edit using (song_edit_id) returning song_edit_id)
    update song_edit e set songs = songs + 1 from back where back.song_edit_id = e.song_edit_id`
}

/** Versions that the merge unpublished are published again; versions unpublished since are not. */
async function versionsAsBefore(sql: Sql, own: readonly SnapshotVersion[], mergedAt: Date): Promise<void> {
  // A JavaScript date has no microseconds.
  const since = sql`(v.status = 'unpublished' and v.unpublished_at >= ${mergedAt}::timestamptz + interval '1 millisecond')`
  await sql`
    update song_version v set version_label = w.version_label, version_kind_id = w.version_kind_id, position = w.position,
      status = case when ${since} then v.status else w.status end,
      unpublished_at = case when ${since} then v.unpublished_at else w.unpublished_at end
    from jsonb_to_recordset(${sql.json(own)}) w (song_version_id bigint, version_label text, version_kind_id int,
      position smallint, status text, unpublished_at timestamptz)
    where v.song_version_id = w.song_version_id`
}

/** The file of an unpublished version may belong to another song by now. */
function rejectTaken(error: unknown): never {
  if ((error as { constraint_name?: string }).constraint_name !== 'song_version_file') throw error
  throw new ApiError('already_in_catalogue', 'One of its files has since been published in another song.')
}
