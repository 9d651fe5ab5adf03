import { queryClient } from '../platform/queries.ts'
import { toastError } from '../ui/toast.ts'
import { firstIndexOf, hasAllSongs, type SongPage } from './playlistOrder.ts'
import * as texts from './texts.ts'

/** Longer than the pause between repeated key presses: only the final position is sent to the server. */
const PAUSE_MS = 500

type Options<Page> = {
  /** The query of the page. */
  key: readonly unknown[]
  /** The ids of all songs of the list, in order. */
  idsOf: (page: Page) => number[]
  /** The page after a song moved to another index of the whole list. */
  afterMove: (page: Page, songId: number, to: number) => Page
  /** Saves a move to a position counted from 1, and returns the ids of all songs. */
  save: (songId: number, position: number) => Promise<number[]>
  /** Called when a move is saved, with the indexes of the song. */
  onSaved?: (songId: number, from: number, to: number) => void
  refetch: () => Promise<unknown>
}

export type OrderedPage = Omit<ReturnType<typeof orderedPage>, 'show'>

/**
 * One page of an ordered list of songs on screen, and the moves of its songs: shown at once, sent to the server, reverted
 * if the request fails.
 */
export function orderedPage<Page extends SongPage>({ key, idsOf, afterMove, save, onSaved, refetch }: Options<Page>) {
  const getPage = () => queryClient.getQueryData<Page>(key)
  const orderOf = () => {
    const page = getPage()
    return page ? idsOf(page) : []
  }
  const show = (change: (page: Page) => Page) => {
    // A reply from before the change would restore the old order.
    void queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData<Page>(key, (page) => page && change(page))
  }

  let moves = 0
  let pageBefore: Page | undefined
  let pendingMove: { songId: number; timer: ReturnType<typeof setTimeout> } | undefined

  /** Shows a song at another index of the whole list; `moveSoon` saves it. */
  const showMove = (songId: number, to: number) => {
    moves += 1
    pageBefore ??= getPage()
    show((page) => afterMove(page, songId, to))
  }

  const saveMove = async (songId: number) => {
    const to = orderOf().indexOf(songId)
    const before = pageBefore
    pageBefore = undefined
    const movesAtStart = moves
    try {
      const ids = await save(songId, to + 1)
      const from = before ? idsOf(before).indexOf(songId) : to
      if (from !== to) onSaved?.(songId, from, to)
      // Later moves are saved next, and compared then.
      if (movesAtStart !== moves) return
      // A song came from another page, or was moved in another window.
      if (!hasAllSongs(getPage(), orderOf()) || `${ids}` !== `${orderOf()}`) await refetch()
    } catch (error) {
      // Without a connection, nothing can be fetched.
      if (before && movesAtStart === moves) show(() => before)
      void toastError(texts.couldntMoveTheSong, error)
      await refetch()
    }
  }

  /** Saves an unsaved move at once. */
  const moveNow = () => {
    if (!pendingMove) return
    clearTimeout(pendingMove.timer)
    void saveMove(pendingMove.songId)
    pendingMove = undefined
  }

  /** Saves a move after a pause; at once when another song moves. */
  const moveSoon = (songId: number) => {
    if (pendingMove?.songId === songId) clearTimeout(pendingMove.timer)
    else moveNow()
    pendingMove = { songId, timer: setTimeout(moveNow, PAUSE_MS) }
  }

  return {
    getOrder: orderOf,
    getSongs: () => getPage()?.songs ?? [],
    getFirstIndex: () => firstIndexOf(getPage()),
    ...{ show, showMove, moveSoon, moveNow },
  }
}
