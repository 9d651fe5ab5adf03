import { playlists } from '@dubplate/contract'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'

/** The member's playlists with these words in their name, at most `pageLimit`, and as many public ones; none for visitors. */
export function usePlaylistSearch(
  words: string,
  pageLimit: number,
): {
  found: playlists.Playlist[]
  /** Whether the first ones are still to come. */
  isPending: boolean
} {
  const isSignedIn = useSession((session) => session.token !== null)
  // A longer text is in no name.
  const enabled = isSignedIn && words !== '' && words.length <= playlists.PLAYLIST_TITLE_LENGTH
  const input = { search: words, pageLimit }
  const { data, isLoading } = useApiQuery(playlists.getPlaylists, input, { enabled, keepPrevious: true })
  return { found: enabled && data ? [...data.playlists, ...data.public_playlists] : [], isPending: isLoading }
}
