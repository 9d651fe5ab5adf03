import { playlists } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { orderedPage } from './orderedPage.ts'
import { contiguousRuns, pageAfterMove, removeFromPage } from './playlistOrder.ts'
import { type PlaylistPage, refetchPlaylists } from './playlists.ts'
import * as texts from './texts.ts'

/**
 * One page of a playlist on screen and the changes to it: shown at once, sent to the server, reverted if the request
 * fails.
 */
export function playlistPage(input: { playlist_id: number; page: number }) {
  const key = [playlists.viewPlaylist.path, input]
  const { playlist_id } = input
  const getCachedPage = () => queryClient.getQueryData<PlaylistPage>(key)
  const page = orderedPage<PlaylistPage>({
    key,
    idsOf: ({ song_ids }) => song_ids,
    afterMove: pageAfterMove,
    save: async (song_id, position) => {
      const { song_ids } = await runInTurn(playlist_id, () =>
        callApi(playlists.reorderPlaylist, { playlist_id, song_id, position }),
      )
      void queryClient.invalidateQueries({ queryKey: [playlists.getPlaylists.path], refetchType: 'none' })
      return song_ids
    },
    refetch: refetchPlaylists,
  })

  const remove = async (songIds: number[]) => {
    page.moveNow()
    const sequences = contiguousRuns(getCachedPage()?.song_ids ?? [], songIds)
    const title = getCachedPage()?.playlist.title ?? ''
    page.show((page) => removeFromPage(page, songIds))
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
  return { ...page, remove }
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
