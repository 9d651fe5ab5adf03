import { IconArrowMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import * as texts from './texts.ts'

const MergeDialog = lazyOnDemand(() => import('./MergeDialog.tsx').then((code) => code.MergeDialog))

type Named = { entity_id: number }

/** In the bar of the selected songs: needs two or more. */
export function MergeDeed({ songs, onDone }: { songs: readonly Named[]; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {songs.length > 1 && (
        <Button onClick={() => setOpen(true)}>
          <IconArrowMerge size={16} aria-hidden />
          {texts.mergeMenuItem}
        </Button>
      )}
      {isOpen && (
        <MergeDialog
          entityIds={songs.map(({ entity_id }) => entity_id)}
          onClose={() => setOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  )
}
