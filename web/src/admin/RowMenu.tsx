import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** What can be done with a row: in its menu and, when it has the focus, with a key. */
export type RowAction<Row> = {
  label: string
  icon: TablerIcon
  /** Lower case. */
  key?: string
  isDanger?: boolean
  isAvailable?: (row: Row) => boolean
  run: (row: Row) => void
}

/** The actions of a row, or those of them that are available. */
export const actionsFor = <Row,>(row: Row, actions: readonly RowAction<Row>[]) =>
  actions.filter(({ isAvailable }) => isAvailable?.(row) ?? true)

type Props<Row> = { row: Row; label: string; actions: readonly RowAction<Row>[] }

/** The menu at the end of a row. Until it is opened it is only a button, because a table has many rows. */
export function RowMenu<Row>({ row, label, actions }: Props<Row>) {
  const [isOpen, setOpen] = useState(false)
  const available = actionsFor(row, actions)
  if (available.length === 0) return null
  const button = (
    <ActionIcon
      size={28}
      aria-label={format(texts.rowActions, { label })}
      aria-haspopup="menu"
      onClick={() => setOpen(true)}
    >
      <IconDots size={17} />
    </ActionIcon>
  )
  if (!isOpen) return button
  return (
    <Menu opened onChange={setOpen} position="bottom-end" width={220} shadow="none">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {available.map(({ label, icon: Icon, isDanger, run }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} stroke={1.8} />}
            {...(isDanger ? { c: 'var(--danger)' } : {})}
            onClick={() => run(row)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
