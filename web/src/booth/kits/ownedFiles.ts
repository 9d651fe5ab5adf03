import { downloads } from '@dubplate/contract'
import { isOwnedOnly } from '../../downloads/crateZips.ts'
import { useLibrary } from '../../library/library.ts'
import type { KitSongs } from './kitChoice.ts'

/** The versions of a kit, if this page knows them; the versions of lists are chosen by the server. */
function versionsOf({ source }: KitSongs): number[] {
  if (source.crate && source.genre_id == null) return [...useLibrary.getState().crateVersions]
  return (source.song_version_ids ?? []).map(Number)
}

type OwnedFiles = {
  /** The number of its files that are in the member's DJ library. */
  count: number
  /** The kit without them. */
  rest: KitSongs
}

/** The files of a kit that the member has already. None are known for kits of lists. */
export function ownedFilesOf(songs: KitSongs): OwnedFiles {
  const versions = versionsOf(songs)
  const others = versions.filter((id) => !isOwnedOnly(id))
  const isNameable = others.length > 0 && others.length <= downloads.COLLECTION_BUNDLE_LIMIT
  if (!isNameable) return { count: 0, rest: songs }
  const { title } = songs
  return { count: versions.length - others.length, rest: { ...songs, source: { song_version_ids: others, title } } }
}
