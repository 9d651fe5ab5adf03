import { library, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { toast, toastError } from '../ui/toast.ts'
import { invalidateCrate } from './crateChanges.ts'
import { orderedPage } from './orderedPage.ts'
import { pageAfterMove } from './playlistOrder.ts'
import * as texts from './texts.ts'

type CratePage = ReplyOf<typeof library.crateIndex>

let pending: Promise<unknown> = Promise.resolve()

/** Changes of the order reach the server in the order they were made. */
function runInTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = pending.then(task, task)
  pending = result
  return result
}

const moveInCrate = (song_id: number, position: number) =>
  runInTurn(() => callApi(library.moveInCrate, { song_id, position }))

/** A page of the whole crate on screen, whose songs can be moved. */
export const cratePage = (page: number) =>
  orderedPage<CratePage>({
    key: [library.crateIndex.path, { page }],
    idsOf: ({ list }) => list,
    afterMove: (crate, songId, to) => {
      const { song_ids: list, ...changed } = pageAfterMove({ ...crate, song_ids: crate.list }, songId, to)
      return { ...changed, list }
    },
    save: async (songId, position) => (await moveInCrate(songId, position)).song_ids,
    onSaved: (songId, from, to) =>
      void toast({
        message: format(texts.songMovedToPosition, { place: to + 1 }),
        action: { label: texts.undo, run: () => void undoMove(songId, from) },
      }),
    refetch: invalidateCrate,
  })

async function undoMove(songId: number, index: number) {
  try {
    await moveInCrate(songId, index + 1)
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
  await invalidateCrate()
}

/** Shows the crate newest first, or in the member's own order. */
export async function chooseCrateOrder(order: library.CrateOrder) {
  try {
    await runInTurn(() => callApi(library.orderCrate, { order }))
  } catch (error) {
    void toastError(texts.couldntChangeTheOrder, error)
  }
  await invalidateCrate()
}

/** Arranges the whole crate as a set, and offers to restore the order before. Throws the server's `ApiError`. */
export async function arrangeCrate(curve: library.EnergyCurve, first_song_id: number | undefined) {
  const { previous, revision, song_ids } = await runInTurn(() =>
    callApi(library.arrangeCrate, { curve, first_song_id }),
  )
  await invalidateCrate()
  void toast({
    message: format(texts.songsArranged, { count: song_ids.length }),
    action: { label: texts.undo, run: () => void undoArranging({ ...previous, revision }) },
  })
}

async function undoArranging(input: { order: library.CrateOrder; song_ids: number[]; revision: number }) {
  try {
    await runInTurn(() => callApi(library.orderCrate, input))
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
  await invalidateCrate()
}
