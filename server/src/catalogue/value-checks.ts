import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { changesAny, type LockedSong, type SongFields, type Status, type Values } from './song-values.ts'
import { identityOf } from './words.ts'

/** Whether a value that identifies a song is changed, so that another song of the pool may have it. */
export const isRenamed = (changed: Values): boolean =>
  changesAny(['title', 'artist', 'remixer', 'song_section_id'], changed)

/**
 * Checks whether a locked song may have these values. Throws `already_in_catalogue` if another song of its section has
 * this artist and title, or another version has the file of one to be published again; and `song_deleted` if its
 * uploader deleted it.
 */
export async function rejectImpossible(sql: Sql, song: LockedSong, changed: Values): Promise<void> {
  if (isRenamed(changed)) await rejectSameSong(sql, song, { ...song.values, ...changed })
  if (changed.status?.[0] === 'published' && isDetached(song))
    throw new ApiError('song_deleted', 'The uploader deleted this song, so it can’t be restored.')
  await rejectFilesTaken(sql, song, changed)
}

/** Whether its name was released, so that it can be added again: see `detachSong`. */
const isDetached = ({ song_identity }: LockedSong): boolean => song_identity.split('|').length > 3

/** The identity of the song once it has these values. */
export const identityAfter = (song: LockedSong, { title, artist, remixer }: SongFields): string => {
  const identity = identityOf({ title: title[0], artist: artist[0], remixer: remixer[0] })
  return isDetached(song) ? `${identity}|${song.entity_id}` : identity
}

async function rejectSameSong(sql: Sql, song: LockedSong, values: SongFields): Promise<void> {
  const [other] = await sql<{ entity_id: number; status: Status }[]>`
    select entity_id, status from song
    where song_section_id = ${values.song_section_id} and song_identity = ${identityAfter(song, values)}
      and entity_id <> ${song.entity_id}`
  if (!other) return
  const where =
    other.status === 'published' ? 'already exists in this section' : `already exists in this section (${other.status})`
  throw new ApiError(
    'already_in_catalogue',
    `“${values.title[0]}” by ${values.artist[0]} ${where}: song ${other.entity_id}.`,
    {
      data: { entity_id: other.entity_id },
    },
  )
}

async function rejectFilesTaken(sql: Sql, song: LockedSong, changed: Values): Promise<void> {
  const restoredVersions = song.versions.filter(({ song_version_id, file_id, status }) => {
    const wanted = changed[`version.${song_version_id}.status`] as [Status, string | null] | undefined
    return file_id !== null && status === 'unpublished' && wanted !== undefined && wanted[0] !== 'unpublished'
  })
  if (restoredVersions.length === 0) return
  const [used] = await sql<{ entity_id: number; title: string; version_label: string }[]>`
    select s.entity_id, s.title, v.version_label from song_version v join song s using (entity_id)
    where v.file_id = any(${restoredVersions.map(({ file_id }) => file_id)}::bigint[]) and v.status <> 'unpublished'
      and v.song_version_id <> all(${restoredVersions.map(({ song_version_id }) => song_version_id)}::bigint[]) limit 1`
  if (!used) return
  throw new ApiError('already_in_catalogue', `This file is now used by “${used.title}” (${used.version_label}).`, {
    data: { entity_id: used.entity_id },
  })
}
