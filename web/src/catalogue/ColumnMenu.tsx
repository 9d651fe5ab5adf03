import { Menu, MenuCheck, MenuGroup } from '../ui/Menu.tsx'
import { toggleColumn } from './columnChoice.ts'
import { COLUMN_NAMES, COLUMNS, isChosen, useListView } from './listView.ts'
import * as texts from './texts.ts'

/** Switches for the columns, in a menu under the button. A list that is too narrow for a column does not offer it. */
export function ColumnMenu({ opener, onClose }: { opener: HTMLElement; onClose: () => void }) {
  const toggled = useListView((view) => view.toggled)
  const width = opener.closest('[role=table]')?.clientWidth ?? 0
  const { right, bottom } = opener.getBoundingClientRect()
  return (
    <Menu label={texts.columns} at={{ x: right, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      <MenuGroup title={texts.columns}>
        {COLUMNS.filter(({ from }) => width >= (from ?? 0)).map((column) => (
          <MenuCheck key={column.name} checked={isChosen(column, toggled)} onSelect={() => toggleColumn(column.name)}>
            {COLUMN_NAMES[column.name]}
          </MenuCheck>
        ))}
      </MenuGroup>
    </Menu>
  )
}
