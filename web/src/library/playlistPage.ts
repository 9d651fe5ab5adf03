import { playlists } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { isWhole, pageAfterMove, pageWithout, runsOf } from './playlistOrder.ts'
import { type PlaylistPage, renewPlaylists } from './playlists.ts'
import * as texts from './texts.ts'

/** Steps by keyboard follow each other faster than this: the server is told where they end. */
const PAUSE_MS = 500

/** What is on screen of one page of a playlist, and the changes to it: shown at once, told to the server, undone when refused. */
export function playlistPage(input: { playlist_id: number; page: number }) {
  const key = [playlists.viewPlaylist.path, input]
  const { playlist_id } = input
  const get = () => queryClient.getQueryData<PlaylistPage>(key)
  const show = (change: (page: PlaylistPage) => PlaylistPage) => {
    // An answer from before the change would bring the old order back.
    void queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData<PlaylistPage>(key, (page) => page && change(page))
  }

  let moves = 0
  let resting: { songId: number; timer: ReturnType<typeof setTimeout> } | undefined

  /** Shows a song at another place of the whole, counted from 0; `moveSoon` tells the server. */
  const showMove = (songId: number, to: number) => {
    moves += 1
    show((page) => pageAfterMove(page, songId, to))
  }

  const keepMove = async (songId: number) => {
    const order = get()?.song_ids ?? []
    const asked = moves
    try {
      const { song_ids } = await inTurn(playlist_id, () =>
        ask(playlists.reorderPlaylist, { playlist_id, song_id: songId, position: order.indexOf(songId) + 1 }),
      )
      void queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path], refetchType: 'none' })
      // What was moved meanwhile is told next, and compared then.
      if (asked !== moves) return
      // A song came from another page, or was moved in another window.
      if (!isWhole(get()) || `${song_ids}` !== `${get()?.song_ids}`) await renewPlaylists()
    } catch (error) {
      void toastTrouble(texts.couldntMoveTheSong, error)
      await renewPlaylists()
    }
  }

  /** Tells the server at once of a move it has not been told of. */
  const moveNow = () => {
    if (!resting) return
    clearTimeout(resting.timer)
    void keepMove(resting.songId)
    resting = undefined
  }

  /** Tells the server of a move once the song has come to rest; at once when another song moves. */
  const moveSoon = (songId: number) => {
    if (resting?.songId === songId) clearTimeout(resting.timer)
    else moveNow()
    resting = { songId, timer: setTimeout(moveNow, PAUSE_MS) }
  }

  const remove = async (songIds: number[]) => {
    moveNow()
    const runs = runsOf(get()?.song_ids ?? [], songIds)
    const title = get()?.playlist.title ?? ''
    show((page) => pageWithout(page, songIds))
    try {
      await inTurn(playlist_id, () =>
        ask(playlists.changePlaylistSongs, { playlist_id, song_ids: songIds, action: 'remove' }),
      )
      void toast({
        message: format(texts.songsRemovedFrom, { count: songIds.length, title }),
        action: { label: 'Undo', run: () => void putBack(playlist_id, runs) },
      })
    } catch (error) {
      void toastTrouble(texts.couldntRemoveFromPlaylist, error)
    }
    await renewPlaylists()
  }
  return { get, showMove, moveSoon, moveNow, remove }
}

async function putBack(playlist_id: number, runs: ReturnType<typeof runsOf>) {
  try {
    for (const run of runs) await ask(playlists.changePlaylistSongs, { playlist_id, action: 'add', ...run })
  } catch (error) {
    void toastTrouble(texts.couldntRestoreAllSongs, error)
  }
  await renewPlaylists()
}

/** Changes of one playlist reach the server in the order they were made. */
const turns = new Map<number, Promise<unknown>>()

function inTurn<T>(playlistId: number, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(playlistId) ?? Promise.resolve()).then(work, work)
  turns.set(playlistId, turn)
  return turn
}
