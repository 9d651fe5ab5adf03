import { type catalogue, playlists, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { addedMessage, copyTitle } from './playlistTexts.ts'
import * as texts from './texts.ts'

type Playlist = playlists.Playlist
type Song = catalogue.Song
export type PlaylistPage = ReplyOf<typeof playlists.viewPlaylist>

/** The playlists to choose from: the member's own, last changed first. */
export const ownPlaylistsQuery = apiQuery(playlists.getPlaylists, { list: 'mine' })

/** Refetches the playlists on screen, and those to choose from. */
export async function refetchPlaylists(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [playlists.viewPlaylist.path] }),
    queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path] }),
  ])
  await queryClient.refetchQueries({ ...ownPlaylistsQuery, exact: true, type: 'inactive' })
}

const idsOf = (songs: Song[]) => songs.map(({ entity_id }) => entity_id)

/** Adds songs at the end of a playlist, and shows the result. False if the request failed. */
export async function addToPlaylist({ playlist_id, title }: Playlist, songs: Song[]): Promise<boolean> {
  const song_ids = idsOf(songs)
  try {
    const { changed } = await callApi(playlists.changePlaylistSongs, { playlist_id, song_ids, action: 'add' })
    // Undo would also remove the songs that were in the playlist before.
    const canUndo = changed === songs.length
    const undo = () => void change(texts.couldntRemoveFromPlaylist, { playlist_id, song_ids, action: 'remove' })
    void toast({
      message: addedMessage(title, songs.length, changed),
      action: canUndo
        ? { label: texts.undo, run: undo }
        : { label: texts.open, run: () => goTo(`/playlist/${playlist_id}`) },
    })
    void refetchPlaylists()
    return true
  } catch (error) {
    void toastError(texts.couldntAddToPlaylist, error)
    return false
  }
}

type PlaylistChange = { playlist_id: number; song_ids: number[]; action: 'add' | 'remove'; position?: number }

async function change(errorMessage: string, input: PlaylistChange) {
  try {
    await callApi(playlists.changePlaylistSongs, input)
  } catch (error) {
    void toastError(errorMessage, error)
  } finally {
    await refetchPlaylists()
  }
}

/** Creates a playlist. Throws the server's `ApiError`: the form keeps the name and shows the error. */
export async function createPlaylist(title: string, songs: Song[] = []): Promise<Playlist> {
  const song_ids = idsOf(songs)
  const { playlist } = await callApi(playlists.savePlaylist, { title, ...(song_ids.length ? { song_ids } : {}) })
  void refetchPlaylists()
  return playlist
}

/** Saves the name and description of a playlist. Throws the server's `ApiError`. */
export async function savePlaylist(
  { playlist_id }: Playlist,
  values: Pick<Playlist, 'title' | 'description'>,
): Promise<void> {
  await callApi(playlists.savePlaylist, { playlist_id, ...values })
  await refetchPlaylists()
}

/** Makes a playlist visible to every member, or private again. */
export async function publishPlaylist({ playlist_id, title }: Playlist, isPublic: boolean): Promise<void> {
  try {
    await callApi(playlists.savePlaylist, { playlist_id, title, public: isPublic })
  } catch (error) {
    void toastError(isPublic ? texts.couldntMakeThePlaylistPublic : texts.couldntMakeThePlaylistPrivate, error)
  } finally {
    await refetchPlaylists()
  }
}

/** Deletes a playlist, and offers an undo. False if the request failed. */
export async function deletePlaylist({ playlist_id, title }: Playlist): Promise<boolean> {
  try {
    await callApi(playlists.deletePlaylist, { playlist_id })
  } catch (error) {
    void toastError(texts.couldntDeleteThePlaylist, error)
    return false
  }
  void toast({
    message: format(texts.playlistDeleted, { title }),
    action: { label: texts.undo, run: () => void restorePlaylist(playlist_id) },
  })
  await queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path] })
  return true
}

async function restorePlaylist(playlist_id: number) {
  try {
    const { playlist } = await callApi(playlists.restorePlaylist, { playlist_id })
    void toast({
      message: format(texts.restored, { title: playlist.title }),
      action: { label: texts.open, run: () => goTo(`/playlist/${playlist_id}`) },
    })
  } catch (error) {
    void toastError(texts.couldntRestoreThePlaylist, error)
  } finally {
    await refetchPlaylists()
  }
}

const MAX_COPY_TITLES = 20

/** Creates a playlist of the member's own from another one, under a name that is not in use. */
export async function copyPlaylist(
  { title, description }: Playlist,
  song_ids: number[],
): Promise<Playlist | undefined> {
  const copied = { description, ...(song_ids.length ? { song_ids } : {}) }
  const titles = [title, ...Array.from({ length: MAX_COPY_TITLES }, (_, n) => copyTitle(title, n + 1))]
  try {
    for (const candidate of titles) {
      const created = await callApi(playlists.savePlaylist, { title: candidate, ...copied }).catch(ignoreTitleTaken)
      if (!created) continue
      void refetchPlaylists()
      return created.playlist
    }
    throw new Error(format(texts.tooManyCopies, { count: MAX_COPY_TITLES, title }))
  } catch (error) {
    void toastError(texts.couldntCopyThePlaylist, error)
    return undefined
  }
}

function ignoreTitleTaken(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'playlist_title_taken') throw error
}
