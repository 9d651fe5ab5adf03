import { Menu, MenuCheck, MenuGroup } from '../ui/Menu.tsx'
import { COLUMNS, type Column, toggleColumn, useColumns } from './columnChoice.ts'
import * as texts from './texts.ts'

const COLUMN_NAMES: Record<Column, string> = {
  wave: texts.waveform,
  genre: texts.genre,
  bpm: texts.bpmLabel,
  key: texts.key,
  date: texts.columnAdded,
}

/** The list width from which all columns fit, as in SongList.module.css. */
const WIDE_LIST_PX = 1040
const ONLY_IN_WIDE: readonly Column[] = ['wave', 'genre']

/** Switches for the columns, in a menu under the button. */
export function ColumnMenu({ opener, onClose }: { opener: HTMLElement; onClose: () => void }) {
  const hidden = useColumns((columns) => columns.hidden)
  const isWide = (opener.closest('[role=table]')?.clientWidth ?? 0) >= WIDE_LIST_PX
  const { right, bottom } = opener.getBoundingClientRect()
  return (
    <Menu label={texts.columns} at={{ x: right, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      <MenuGroup title={texts.columns}>
        {COLUMNS.filter((column) => isWide || !ONLY_IN_WIDE.includes(column)).map((column) => (
          <MenuCheck key={column} checked={!hidden.includes(column)} onSelect={() => toggleColumn(column)}>
            {COLUMN_NAMES[column]}
          </MenuCheck>
        ))}
      </MenuGroup>
    </Menu>
  )
}
