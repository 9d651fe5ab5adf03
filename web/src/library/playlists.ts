import { type catalogue, playlists, type ReplyOf } from '@dubplate/contract'
import { goTo } from '../platform/address.ts'
import { ask, RefusalError } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { addedSentence, copyTitle } from './playlistWords.ts'
import * as texts from './texts.ts'

type Playlist = playlists.Playlist
type Song = catalogue.Song
export type PlaylistPage = ReplyOf<typeof playlists.viewPlaylist>

/** What is on screen of playlists is asked for anew; so is the list of them, which the next choice will offer. */
export const renewPlaylists = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [playlists.viewPlaylist.path] }),
    queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path], refetchType: 'all' }),
  ])

const idsOf = (songs: Song[]) => songs.map(({ entity_id }) => entity_id)

/** Puts songs at the end of a playlist, and says what became of it. False when it was refused. */
export async function addToPlaylist({ playlist_id, title }: Playlist, songs: Song[]): Promise<boolean> {
  const song_ids = idsOf(songs)
  try {
    const { changed } = await ask(playlists.changePlaylistSongs, { playlist_id, song_ids, action: 'add' })
    // Taking out what was asked for would take out what was there before too.
    const canUndo = changed === songs.length
    const takeOut = () => void change(texts.couldntRemoveFromPlaylist, { playlist_id, song_ids, action: 'remove' })
    void toast({
      message: addedSentence(title, songs.length, changed),
      action: canUndo
        ? { label: 'Undo', run: takeOut }
        : { label: 'Open', run: () => goTo(`/playlist/${playlist_id}`) },
    })
    void renewPlaylists()
    return true
  } catch (error) {
    void toastTrouble(texts.couldntAddToPlaylist, error)
    return false
  }
}

type Change = { playlist_id: number; song_ids: number[]; action: 'add' | 'remove'; position?: number }

async function change(trouble: string, input: Change) {
  try {
    await ask(playlists.changePlaylistSongs, input)
  } catch (error) {
    void toastTrouble(trouble, error)
  } finally {
    await renewPlaylists()
  }
}

/** Makes a playlist. Throws what the server refuses: the form keeps the name and shows why. */
export async function makePlaylist(title: string, songs: Song[] = []): Promise<Playlist> {
  const song_ids = idsOf(songs)
  const { playlist } = await ask(playlists.savePlaylist, { title, ...(song_ids.length ? { song_ids } : {}) })
  void renewPlaylists()
  return playlist
}

/** Renames a playlist. Throws what the server refuses. */
export async function renamePlaylist({ playlist_id }: Playlist, title: string): Promise<void> {
  await ask(playlists.savePlaylist, { playlist_id, title })
  await renewPlaylists()
}

/** Shows a playlist to every member, or no longer. */
export async function publishPlaylist({ playlist_id, title }: Playlist, isPublic: boolean): Promise<void> {
  try {
    await ask(playlists.savePlaylist, { playlist_id, title, public: isPublic })
  } catch (error) {
    void toastTrouble(isPublic ? texts.couldntMakeThePlaylistPublic : texts.couldntMakeThePlaylistPrivate, error)
  } finally {
    await renewPlaylists()
  }
}

/** Takes a playlist away, and offers it back. False when it was refused. */
export async function deletePlaylist({ playlist_id, title }: Playlist): Promise<boolean> {
  try {
    await ask(playlists.deletePlaylist, { playlist_id })
  } catch (error) {
    void toastTrouble(texts.couldntDeleteThePlaylist, error)
    return false
  }
  void toast({
    message: `“${title}” deleted.`,
    action: { label: 'Undo', run: () => void restorePlaylist(playlist_id) },
  })
  await queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path] })
  return true
}

async function restorePlaylist(playlist_id: number) {
  try {
    const { playlist } = await ask(playlists.restorePlaylist, { playlist_id })
    void toast({
      message: format(texts.restored, { title: playlist.title }),
      action: { label: 'Open', run: () => goTo(`/playlist/${playlist_id}`) },
    })
  } catch (error) {
    void toastTrouble(texts.couldntRestoreThePlaylist, error)
  } finally {
    await renewPlaylists()
  }
}

const COPIES = 20

/** Makes a playlist of the member's own from another one, under a name that is free. */
export async function copyPlaylist({ title }: Playlist, song_ids: number[]): Promise<Playlist | undefined> {
  const ids = song_ids.length ? { song_ids } : {}
  const titles = [title, ...Array.from({ length: COPIES }, (_, n) => copyTitle(title, n + 1))]
  try {
    for (const free of titles) {
      const made = await ask(playlists.savePlaylist, { title: free, ...ids }).catch(unlessTaken)
      if (!made) continue
      void renewPlaylists()
      return made.playlist
    }
    throw new Error(format(texts.youAlreadyHaveCopiesOf, { count: COPIES, title }))
  } catch (error) {
    void toastTrouble(texts.couldntCopyThePlaylist, error)
    return undefined
  }
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof RefusalError) || error.code !== 'playlist_title_taken') throw error
}

/** All songs of a playlist in order, page by page. */
export async function songsOfPlaylist(playlist_id: number): Promise<Song[]> {
  const first = await ask(playlists.viewPlaylist, { playlist_id })
  const { perPageLimit, totalCount } = first.pagination
  const rest = Array.from({ length: Math.ceil(totalCount / perPageLimit) - 1 }, (_, n) =>
    ask(playlists.viewPlaylist, { playlist_id, page: n + 2 }),
  )
  return [first, ...(await Promise.all(rest))].flatMap(({ songs }) => songs)
}
