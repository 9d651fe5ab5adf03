import { IconArrowMerge, IconArrowsSplit } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import * as texts from './texts.ts'

const MergeDialog = lazyOnDemand(() => import('./MergeDialog.tsx').then((code) => code.MergeDialog))
const SplitDialog = lazyOnDemand(() => import('./SplitDialog.tsx').then((code) => code.SplitDialog))

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

/** On a song's page: navigates to the new song. */
export function SplitDeed({ song, onDone }: { song: Named; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const done = (entityId: number) => {
    onDone()
    void navigate({ to: '/staff/songs/$entityId', params: { entityId } })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <IconArrowsSplit size={16} aria-hidden />
        {texts.split}
      </Button>
      {isOpen && <SplitDialog entityId={song.entity_id} onClose={() => setOpen(false)} onDone={done} />}
    </>
  )
}
