import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Fixed, type HeldSong, isOf, type Status, type Values } from './song-values.ts'
import { identityOf } from './words.ts'

/** What a song goes by: another one of the pool may have it. */
export const isRenamed = (changed: Values): boolean => isOf(['title', 'artist', 'remixer', 'song_section_id'], changed)

/**
 * Whether a held song may have these values. Refuses `already_in_catalogue` where another song of its section has this artist
 * and title, or another version the file of one that comes back; and `song_deleted` where its uploader deleted it.
 */
export async function refuseImpossible(sql: Sql, song: HeldSong, changed: Values): Promise<void> {
  if (isRenamed(changed)) await refuseSameSong(sql, song, { ...song.values, ...changed })
  if (changed.status?.[0] === 'published' && isLetGo(song))
    throw new Refusal('song_deleted', 'The uploader deleted this song, so it can’t be restored.')
  await refuseFilesTaken(sql, song, changed)
}

/** Its name was given up, so that it may come in again: see `letGoOfSong`. */
const isLetGo = ({ song_identity }: HeldSong): boolean => song_identity.split('|').length > 3

/** What the pool knows a song by once it has these values. */
export const identityAfter = (song: HeldSong, { title, artist, remixer }: Fixed): string => {
  const identity = identityOf({ title: title[0], artist: artist[0], remixer: remixer[0] })
  return isLetGo(song) ? `${identity}|${song.entity_id}` : identity
}

async function refuseSameSong(sql: Sql, song: HeldSong, values: Fixed): Promise<void> {
  const [other] = await sql<{ entity_id: number; status: Status }[]>`
    select entity_id, status from song
    where song_section_id = ${values.song_section_id} and song_identity = ${identityAfter(song, values)}
      and entity_id <> ${song.entity_id}`
  if (!other) return
  const where =
    other.status === 'published' ? 'already exists in this section' : `already exists in this section (${other.status})`
  throw new Refusal(
    'already_in_catalogue',
    `“${values.title[0]}” by ${values.artist[0]} ${where}: song ${other.entity_id}.`,
    {
      data: { entity_id: other.entity_id },
    },
  )
}

async function refuseFilesTaken(sql: Sql, song: HeldSong, changed: Values): Promise<void> {
  const back = song.versions.filter(({ song_version_id, file_id, status }) => {
    const wanted = changed[`version.${song_version_id}.status`] as [Status, string | null] | undefined
    return file_id !== null && status === 'withdrawn' && wanted !== undefined && wanted[0] !== 'withdrawn'
  })
  if (back.length === 0) return
  const [used] = await sql<{ entity_id: number; title: string; version_label: string }[]>`
    select s.entity_id, s.title, v.version_label from song_version v join song s using (entity_id)
    where v.file_id = any(${back.map(({ file_id }) => file_id)}::bigint[]) and v.status <> 'withdrawn'
      and v.song_version_id <> all(${back.map(({ song_version_id }) => song_version_id)}::bigint[]) limit 1`
  if (!used) return
  throw new Refusal('already_in_catalogue', `This file is now used by “${used.title}” (${used.version_label}).`, {
    data: { entity_id: used.entity_id },
  })
}
