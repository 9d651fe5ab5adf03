import { IconColumns3, IconLayoutList, IconList } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { toggleDensity } from './columnChoice.ts'
import { useListView } from './listView.ts'
import * as texts from './texts.ts'

const ColumnMenu = lazyOnDemand(() => import('./ColumnMenu.tsx').then(({ ColumnMenu }) => ColumnMenu))

/** Chooses the row height and the columns of the lists, stored in this browser. */
export function ColumnChoice() {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const isCompact = useListView(({ density }) => density === 'compact')
  const close = useCallback(() => setOpener(null), [])
  return (
    <>
      <IconButton label={texts.compactRows} aria-pressed={isCompact} onClick={toggleDensity}>
        {isCompact ? <IconList size={16} /> : <IconLayoutList size={16} />}
      </IconButton>
      <IconButton
        label={texts.chooseColumns}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconColumns3 size={16} />
      </IconButton>
      {opener && <ColumnMenu opener={opener} onClose={close} />}
    </>
  )
}
