import { IconColumns3 } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './SongList.module.css'
import * as texts from './texts.ts'

const ColumnMenu = lazyOnDemand(() => import('./ColumnMenu.tsx').then(({ ColumnMenu }) => ColumnMenu))

/** Chooses the columns of the lists, stored in this browser. A list that has no room for a column does not offer it. */
export function ColumnChoice() {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  return (
    <>
      <IconButton
        className={css.choose}
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
