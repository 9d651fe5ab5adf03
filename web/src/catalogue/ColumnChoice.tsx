import { IconColumns3 } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuCheck, MenuGroup } from '../ui/Menu.tsx'
import { COLUMNS, type Column, toggleColumn, useColumns } from './columnChoice.ts'
import css from './SongList.module.css'

const NAME: Record<Column, string> = { wave: 'Waveform', genre: 'Genre', bpm: 'BPM', key: 'Key', date: 'Added' }

/** From this width on a list has room for all columns, as SongList.module.css says. */
const WIDE_LIST_PX = 1040
const ONLY_IN_WIDE: readonly Column[] = ['wave', 'genre']

/** Which columns the lists show, remembered in this browser. A list without room for a column does not offer it. */
export function ColumnChoice() {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  return (
    <>
      <IconButton
        className={css.choose}
        label="Choose columns"
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

function ColumnMenu({ opener, onClose }: { opener: HTMLElement; onClose: () => void }) {
  const hidden = useColumns((columns) => columns.hidden)
  const isWide = (opener.closest('[role=table]')?.clientWidth ?? 0) >= WIDE_LIST_PX
  const { right, bottom } = opener.getBoundingClientRect()
  return (
    <Menu label="Columns" at={{ x: right, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      <MenuGroup title="Columns">
        {COLUMNS.filter((column) => isWide || !ONLY_IN_WIDE.includes(column)).map((column) => (
          <MenuCheck key={column} checked={!hidden.includes(column)} onSelect={() => toggleColumn(column)}>
            {NAME[column]}
          </MenuCheck>
        ))}
      </MenuGroup>
    </Menu>
  )
}
