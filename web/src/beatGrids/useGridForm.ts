import { beatGrids, type InputOf, player, type ReplyOf, songDetails, staffSongs } from '@dubplate/contract'
import { correctGrid, correctOwnGrid } from '@dubplate/contract/schemas/beat-grids'
import { queryClient } from '../platform/queries.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import type { GridTarget } from './GridDialog.tsx'
import { type GridValues, valuesOf } from './gridForm.ts'
import * as texts from './texts.ts'

/** The BPM of the version and of its song follow the tempo of the grid. */
const CHANGED_REPLIES = [player.getBeatGrid, staffSongs.getSong, songDetails.getSongDetails]

type Call = typeof correctGrid | typeof correctOwnGrid
type Reply = ReplyOf<typeof beatGrids.getGrid>

/** The form of a grid, and the call that removes its correction. */
export function useGridForm(target: GridTarget, grid: beatGrids.EditableGrid, onClose: () => void) {
  const isVersion = 'song_version_id' in target
  const read = isVersion ? beatGrids.getGrid : beatGrids.getOwnGrid
  const show = (reply: Reply) => queryClient.setQueryData([read.path, target], reply)
  const form = useResourceForm<GridValues, Call, Reply>({
    call: isVersion ? correctGrid : correctOwnGrid,
    draftName: isVersion ? `beat-grid.${target.song_version_id}` : `beat-grid.upload.${target.upload_id}`,
    values: valuesOf(grid),
    toInput: (values) => ({ ...target, ...values }) as InputOf<Call>,
    invalidates: CHANGED_REPLIES,
    success: () => ({ message: texts.beatGridSaved }),
    onSaved: (reply) => {
      onClose()
      show(reply)
    },
  })
  const removing = useApiMutation(isVersion ? beatGrids.removeCorrection : beatGrids.removeOwnCorrection, {
    invalidates: CHANGED_REPLIES,
    success: () => ({ message: texts.beatGridReset }),
    errorTitle: texts.couldntRemoveCorrection,
  })
  const restoreMeasured = async () => {
    if (!grid.correction) return form.discard()
    const reply = await removing.mutateAsync(target as never).catch(() => undefined)
    if (!reply) return
    form.discard()
    show(reply)
  }
  return { form, restoreMeasured, isRemoving: removing.isPending }
}
