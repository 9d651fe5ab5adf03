import { beatGrids, type ReplyOf } from '@dubplate/contract'
import { Skeleton } from '@mantine/core'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { GridEditor } from './GridEditor.tsx'
import * as texts from './texts.ts'

/** The file whose grid is corrected: of a version, by staff; of an upload, by its uploader. */
export type GridTarget = { song_version_id: number } | { upload_id: number }

type Props = { target: GridTarget; name: string; onClose: () => void }

/** Corrects the beats, bars and cue points of a file by ear. */
export function GridDialog({ target, name, onClose }: Props) {
  const { grid, error, refetch } = useGrid(target)
  return (
    <Dialog title={format(texts.beatGridFor, { name })} isWide onClose={onClose}>
      {/* A submitted form would also submit the one around it: React passes events on to the parent of a portal. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        {grid ? (
          <GridEditor key={grid.correction?.at} target={target} grid={grid} onClose={onClose} />
        ) : error ? (
          <ErrorState error={error} subject={texts.thisBeatGrid} retry={() => void refetch()} />
        ) : (
          <Skeleton h={420} role="status" aria-busy aria-label={texts.loadingBeatGrid} />
        )}
      </div>
    </Dialog>
  )
}

function useGrid(target: GridTarget) {
  const isVersion = 'song_version_id' in target
  const ofVersion = useApiQuery(
    beatGrids.getGrid,
    { song_version_id: isVersion ? target.song_version_id : 0 },
    { enabled: isVersion },
  )
  const ofUpload = useApiQuery(
    beatGrids.getOwnGrid,
    { upload_id: isVersion ? 0 : target.upload_id },
    { enabled: !isVersion },
  )
  const { data, error, refetch } = isVersion ? ofVersion : ofUpload
  return { grid: (data as ReplyOf<typeof beatGrids.getGrid> | undefined)?.grid, error, refetch }
}
