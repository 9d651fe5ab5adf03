import { camelotOrder, parseKey } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { changesTempo } from './derived-values.ts'
import { addToLists, removeFromLists } from './listing.ts'
import { indexSong } from './search-index.ts'
import {
  changesAny,
  type LockedSong,
  type SongFields,
  type Status,
  type Values,
  type VersionBpm,
  type VersionKey,
} from './song-values.ts'
import { identityAfter, isRenamed } from './value-checks.ts'
import type { Origins } from './value-sources.ts'
import { refreshTempoAndKey } from './version-values.ts'

const LISTING_FIELDS = ['genres', 'song_section_id', 'status']

/** The part of a value that is written into the tags of a download. */
const TAGGED_FIELDS: { [field in keyof SongFields]?: (value: SongFields[field]) => unknown } = {
  title: ([value]) => value,
  artist: ([value]) => value,
  album: ([value]) => value,
  label: ([value]) => value,
  remixer: ([value]) => value,
  isrc: ([value]) => value,
  year: ([value]) => value,
  artwork: ([value]) => value,
}

/** Whether the tags of a download would change, apart from genres. */
function changesTags({ values }: LockedSong, changed: Values): boolean {
  if (Object.keys(changed).some((field) => /^version\.\d+\.name$/.test(field))) return true
  const first = (all: Values, field: string) => (all[field as keyof Values] as unknown[] | undefined)?.[0]
  const tempoFields = Object.keys(changed).filter((field) => /^version\.\d+\.(?:bpm|key)$/.test(field))
  if (tempoFields.some((field) => first(changed, field) !== first(values, field))) return true
  return (Object.keys(TAGGED_FIELDS) as (keyof typeof TAGGED_FIELDS)[]).some((field) => {
    const read = TAGGED_FIELDS[field] as ((value: unknown) => unknown) | undefined
    return field in changed && read?.(changed[field]) !== read?.(values[field])
  })
}

/** The genre in the tags of a download. */
async function tagGenre(sql: Sql, entityId: number): Promise<string | null> {
  const [genre] = await sql<{ name: string }[]>`
    select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = ${entityId} and g.kind = 'genre'
    order by g.parent_id is null, g.position limit 1`
  return genre?.name ?? null
}

/**
 * Saves new values of a locked song (from `changedOf`, checked by `rejectImpossible`) and updates lists, counts, the
 * search index and the mark for corrected tags. Returns whether that mark was set.
 */
export async function writeValues(sql: Sql, song: LockedSong, changed: Values): Promise<{ tagsChanged: boolean }> {
  const id = song.entity_id
  const values: SongFields = { ...song.values, ...changed }
  const isRelisted = changesAny(LISTING_FIELDS, changed)
  const genreBefore = changed.genres ? await tagGenre(sql, id) : null
  if (isRelisted) await removeFromLists(sql, id)
  if (changed.genres) await writeGenres(sql, id, values.genres[0])
  const tagsChanged =
    changesTags(song, changed) || (changed.genres !== undefined && (await tagGenre(sql, id)) !== genreBefore)
  await writeSong(sql, song, { values, isRenamed: isRenamed(changed), tagsChanged })
  await writeVersions(sql, song, changed)
  if (changesTempo(changed)) await refreshTempoAndKey(sql, id)
  if (isRelisted) await addToLists(sql, id)
  await indexSong(sql, id)
  return { tagsChanged }
}

const TRACED_FIELDS = ['title', 'artist', 'album', 'label', 'remixer', 'isrc', 'year', 'genres', 'artwork'] as const

const originsOf = (values: SongFields): Origins =>
  Object.fromEntries(
    TRACED_FIELDS.flatMap((field) => (values[field][1] === null ? [] : [[field, values[field][1]]])),
  ) as Origins

async function writeSong(
  sql: Sql,
  song: LockedSong,
  { values, isRenamed, tagsChanged }: { values: SongFields; isRenamed: boolean; tagsChanged: boolean },
): Promise<void> {
  const [minBpm, maxBpm, bpmSource] = values.bpm
  const key = parseKey(values.song_key[0] ?? '')
  await sql`
    update song set title = ${values.title[0]}, artist = ${values.artist[0]}, album = ${values.album[0]},
      label = ${values.label[0]}, remixer = ${values.remixer[0]}, isrc = ${values.isrc[0]}, year = ${values.year[0]},
      min_bpm = ${minBpm}, max_bpm = ${maxBpm}, bpm_source = ${bpmSource}, song_key = ${key ?? null},
      key_position = ${key ? camelotOrder(key) : null}, key_source = ${values.song_key[1]},
      song_section_id = ${values.song_section_id}, artwork_id = ${values.artwork[0]}, status = ${values.status[0]},
      unpublished_at = ${values.status[1]}::text::timestamptz, origins = ${sql.json(originsOf(values))},
      song_identity = ${isRenamed ? identityAfter(song, values) : song.song_identity}, revision = revision + 1,
      changed_at = now(), tags_changed_at = ${tagsChanged ? sql`now()` : sql`tags_changed_at`}
    where entity_id = ${song.entity_id}`
}

/** The song must not be listed during this change. */
async function writeGenres(sql: Sql, entityId: number, genreIds: readonly number[]): Promise<void> {
  await sql`delete from song_genre where entity_id = ${entityId} and genre_id <> all(${[...genreIds]}::int[])`
  await sql`
    insert into song_genre (entity_id, genre_id) select ${entityId}, genre_id from unnest(${[...genreIds]}::int[]) genre_id
    on conflict do nothing`
  // An unpublished song is not listed; a published one is added to all of its lists again.
  await sql`update song_genre set listed_section = null where entity_id = ${entityId} and listed_section is not null`
}

async function writeVersions(sql: Sql, song: LockedSong, changed: Values): Promise<void> {
  for (const { song_version_id: id } of song.versions) {
    const name = changed[`version.${id}.name`] as [string, number] | undefined
    const place = changed[`version.${id}.place`] as number | undefined
    const start = changed[`version.${id}.start`] as number | undefined
    const status = changed[`version.${id}.status`] as [Status, string | null] | undefined
    const bpm = changed[`version.${id}.bpm`] as VersionBpm | undefined
    const key = changed[`version.${id}.key`] as VersionKey | undefined
    if (name)
      await sql`update song_version set version_label = ${name[0]}, version_kind_id = ${name[1]} where song_version_id = ${id}`
    if (place !== undefined) await sql`update song_version set position = ${place} where song_version_id = ${id}`
    if (start !== undefined)
      await sql`update song_version set preview_start_seconds = ${start} where song_version_id = ${id}`
    if (status)
      await sql`
        update song_version set status = ${status[0]}, unpublished_at = ${status[1]}::text::timestamptz
        where song_version_id = ${id}`
    if (bpm)
      await sql`
        update song_version set bpm = ${bpm[0]}, bpm_to = ${bpm[1]}, bpm_source = ${bpm[2]} where song_version_id = ${id}`
    if (key)
      await sql`update song_version set song_key = ${key[0]}, key_source = ${key[1]} where song_version_id = ${id}`
  }
}
