import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Column } from './ResourceTable.tsx'
import * as texts from './texts.ts'

type Props<Row> = {
  columns: readonly Column<Row>[]
  isShown: (column: Column<Row>) => boolean
  onChange: (id: string, isShown: boolean) => void
}

/** Which columns are shown: remembered in this browser. The first column is always shown. */
export const ColumnMenu = <Row,>({ columns: [, ...columns], isShown, onChange }: Props<Row>) => (
  <Menu position="bottom-end" width={200} closeOnItemClick={false} shadow="none">
    <Menu.Target>
      <Tooltip label={texts.columns}>
        <ActionIcon variant="default" size={36} ml="auto" aria-label={texts.columns}>
          <IconColumns3 size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>
      {columns.map((column) => (
        <Menu.CheckboxItem
          key={column.id}
          checked={isShown(column)}
          onChange={(isChecked) => onChange(column.id, isChecked)}
        >
          {column.header}
        </Menu.CheckboxItem>
      ))}
    </Menu.Dropdown>
  </Menu>
)
