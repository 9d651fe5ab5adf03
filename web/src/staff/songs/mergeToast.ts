import { type InputOf, merging, type ReplyOf } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { type Toast, toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

/** Several merged songs are split again one by one, on the page of the remaining song. */
export function mergeToast(
  { entity_id, artist, title }: ReplyOf<typeof merging.mergeSongs>,
  { entity_ids }: InputOf<typeof merging.mergeSongs>,
): Toast {
  const message = format(texts.songMergedInto, { song: `${artist} – ${title}` })
  const [mergedId, ...others] = entity_ids.map(Number).filter((id) => id !== entity_id)
  if (!mergedId || others.length > 0) return { message }
  return { message, action: { label: texts.undo, run: () => void undoMerge(mergedId) } }
}

async function undoMerge(entity_id: number): Promise<void> {
  try {
    await callApi(merging.undoMerge, { entity_id })
    void toast({ message: texts.mergeUndoneBothSongsAre })
    await queryClient.invalidateQueries()
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
}
