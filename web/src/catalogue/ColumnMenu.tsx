import { Menu, MenuCheck, MenuGroup } from '../ui/Menu.tsx'
import { toggleColumn } from './columnChoice.ts'
import { COLUMN_NAMES, COLUMNS, isColumnOn, useListView } from './listView.ts'
import * as texts from './texts.ts'

/** Switches for the columns, in a menu under the button. */
export function ColumnMenu({ opener, onClose }: { opener: HTMLElement; onClose: () => void }) {
  const chosen = useListView((view) => view.chosen)
  const width = opener.closest('[role=table]')?.clientWidth ?? 0
  const { right, bottom } = opener.getBoundingClientRect()
  return (
    <Menu label={texts.columns} at={{ x: right, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      <MenuGroup title={texts.columns}>
        {COLUMNS.map((column) => (
          <MenuCheck
            key={column.name}
            checked={isColumnOn(column, chosen, width)}
            onSelect={() => toggleColumn(column, width)}
          >
            {COLUMN_NAMES[column.name]}
          </MenuCheck>
        ))}
      </MenuGroup>
    </Menu>
  )
}
