import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Column } from './ResourceTable.tsx'
import * as texts from './texts.ts'

type Props<Row> = { columns: readonly Column<Row>[]; hidden: string[]; onChange: (hidden: string[]) => void }

/** Which columns are shown: remembered in this browser. The first column is always shown. */
export const ColumnMenu = <Row,>({ columns: [, ...columns], hidden, onChange }: Props<Row>) => (
  <Menu position="bottom-end" width={200} closeOnItemClick={false} shadow="none">
    <Menu.Target>
      <Tooltip label={texts.columns}>
        <ActionIcon variant="default" size={36} ml="auto" aria-label={texts.columns}>
          <IconColumns3 size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>
      {columns.map(({ id, header }) => (
        <Menu.CheckboxItem
          key={id}
          checked={!hidden.includes(id)}
          onChange={(isShown) => onChange(isShown ? hidden.filter((each) => each !== id) : [...hidden, id])}
        >
          {header}
        </Menu.CheckboxItem>
      ))}
    </Menu.Dropdown>
  </Menu>
)
