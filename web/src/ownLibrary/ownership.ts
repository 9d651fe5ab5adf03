import type { catalogue } from '@dubplate/contract'
import { useOwned } from './owned.ts'

/**
 * What the DJ library has of a version: the version itself, a version of the song that could not be identified, or
 * nothing.
 */
export type Ownership = 'version' | 'song' | undefined

export function ownershipOf(songVersionId: number, song?: catalogue.Song): Ownership {
  const { songs, versions } = useOwned.getState()
  if (versions.has(songVersionId)) return 'version'
  if (!song || !songs.has(song.entity_id)) return undefined
  const isVersionKnown = song.version.some(({ song_version_id }) => versions.has(song_version_id))
  return isVersionKnown ? undefined : 'song'
}
