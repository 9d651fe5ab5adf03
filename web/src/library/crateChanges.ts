import { type catalogue, library, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { invalidateCrate, loadCrate, runExclusive, showInCrate } from './library.ts'
import * as texts from './texts.ts'

const reloadCrate = () => Promise.all([loadCrate(), invalidateCrate()])

type RestoreParams = { song_ids?: number[]; version_ids?: number[]; below?: number | undefined }

async function restoreToCrate(params: RestoreParams) {
  try {
    await callApi(library.crateChange, params)
  } catch (error) {
    void toastError(texts.couldntAddTheSongBack, error)
  } finally {
    await reloadCrate()
  }
}

/** Empties the crate, and offers to restore it as it was. */
export async function clearCrate() {
  try {
    const { version } = await callApi(library.getCrates, {})
    const { cleared } = await callApi(library.clearCrates, {})
    await reloadCrate()
    void toast({
      title: texts.crateCleared,
      message: format(texts.versionsRemoved, { cleared }),
      action: { label: texts.undo, run: () => void restoreToCrate({ version_ids: version }) },
    })
  } catch (error) {
    void toastError(texts.couldntClearYourCrate, error)
  }
}

/** The song right above another one in the crate, as far as it was loaded. */
function songAbove(songId: number): number | undefined {
  const pages = queryClient.getQueriesData<ReplyOf<typeof library.crateIndex>>({ queryKey: [library.crateIndex.path] })
  const list = pages.find(([, data]) => data?.list.includes(songId))?.[1]?.list ?? []
  return list[list.indexOf(songId) - 1]
}

/** Says that a song was removed, and offers to restore it with the same versions to its position. */
export function offerUndo(song: catalogue.Song, versionIds: number[]) {
  const below = songAbove(song.entity_id)
  void toast({
    message: format(texts.removedFromYourCrate, { title: song.title }),
    action: { label: texts.undo, run: () => void restoreSong(song, versionIds, below) },
  })
}

/** Adds a song with these versions, right below another one or at the top. */
export function restoreSong(song: catalogue.Song, versionIds: number[], below: number | undefined) {
  showInCrate([{ song, versionIds }], true)
  const params = versionIds.length > 0 ? { version_ids: versionIds } : { song_ids: [song.entity_id] }
  return runExclusive(`crate ${song.entity_id}`, () => restoreToCrate({ ...params, below }))
}
