import { playlists } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { contiguousRuns, hasAllSongs, pageAfterMove, removeFromPage } from './playlistOrder.ts'
import { type PlaylistPage, refetchPlaylists } from './playlists.ts'
import * as texts from './texts.ts'

/** Longer than the pause between repeated key presses: only the final position is sent to the server. */
const PAUSE_MS = 500

/**
 * One page of a playlist on screen and the changes to it: shown at once, sent to the server, reverted if the request
 * fails.
 */
export function playlistPage(input: { playlist_id: number; page: number }) {
  const key = [playlists.viewPlaylist.path, input]
  const { playlist_id } = input
  const getCachedPage = () => queryClient.getQueryData<PlaylistPage>(key)
  const show = (change: (page: PlaylistPage) => PlaylistPage) => {
    // A reply from before the change would restore the old order.
    void queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData<PlaylistPage>(key, (page) => page && change(page))
  }

  let moves = 0
  let pendingMove: { songId: number; timer: ReturnType<typeof setTimeout> } | undefined

  /** Shows a song at another index of the whole playlist; `saveMoveSoon` saves it. */
  const showMove = (songId: number, to: number) => {
    moves += 1
    show((page) => pageAfterMove(page, songId, to))
  }

  const saveMove = async (songId: number) => {
    const order = getCachedPage()?.song_ids ?? []
    const movesAtStart = moves
    try {
      const { song_ids } = await runInTurn(playlist_id, () =>
        callApi(playlists.reorderPlaylist, { playlist_id, song_id: songId, position: order.indexOf(songId) + 1 }),
      )
      void queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path], refetchType: 'none' })
      // Later moves are saved next, and compared then.
      if (movesAtStart !== moves) return
      // A song came from another page, or was moved in another window.
      if (!hasAllSongs(getCachedPage()) || `${song_ids}` !== `${getCachedPage()?.song_ids}`) await refetchPlaylists()
    } catch (error) {
      void toastError(texts.couldntMoveTheSong, error)
      await refetchPlaylists()
    }
  }

  /** Saves an unsaved move at once. */
  const saveMoveNow = () => {
    if (!pendingMove) return
    clearTimeout(pendingMove.timer)
    void saveMove(pendingMove.songId)
    pendingMove = undefined
  }

  /** Saves a move after a pause; at once when another song moves. */
  const saveMoveSoon = (songId: number) => {
    if (pendingMove?.songId === songId) clearTimeout(pendingMove.timer)
    else saveMoveNow()
    pendingMove = { songId, timer: setTimeout(saveMoveNow, PAUSE_MS) }
  }

  const remove = async (songIds: number[]) => {
    saveMoveNow()
    const sequences = contiguousRuns(getCachedPage()?.song_ids ?? [], songIds)
    const title = getCachedPage()?.playlist.title ?? ''
    show((page) => removeFromPage(page, songIds))
    try {
      await runInTurn(playlist_id, () =>
        callApi(playlists.changePlaylistSongs, { playlist_id, song_ids: songIds, action: 'remove' }),
      )
      void toast({
        message: format(texts.songsRemovedFrom, { count: songIds.length, title }),
        action: { label: texts.undo, run: () => void restoreSongs(playlist_id, sequences) },
      })
    } catch (error) {
      void toastError(texts.couldntRemoveFromPlaylist, error)
    }
    await refetchPlaylists()
  }
  return { get: getCachedPage, showMove, moveSoon: saveMoveSoon, moveNow: saveMoveNow, remove }
}

async function restoreSongs(playlist_id: number, sequences: ReturnType<typeof contiguousRuns>) {
  try {
    for (const sequence of sequences)
      await callApi(playlists.changePlaylistSongs, { playlist_id, action: 'add', ...sequence })
  } catch (error) {
    void toastError(texts.couldntRestoreAllSongs, error)
  }
  await refetchPlaylists()
}

/** Changes of one playlist reach the server in the order they were made. */
const queues = new Map<number, Promise<unknown>>()

function runInTurn<T>(playlistId: number, task: () => Promise<T>): Promise<T> {
  const pending = (queues.get(playlistId) ?? Promise.resolve()).then(task, task)
  queues.set(playlistId, pending)
  return pending
}
