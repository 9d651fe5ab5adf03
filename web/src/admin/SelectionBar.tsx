import { ActionBar, ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import css from './ResourceTable.module.css'
import * as texts from './texts.ts'

type Props = { count: number; onClear: () => void; closeOnEscape: boolean; children: ReactNode }

/** The actions for the selected rows of a table. */
export const SelectionBar = ({ count: n, onClear, closeOnEscape, children }: Props) => (
  <ActionBar
    opened
    onClose={onClear}
    closeOnEscape={closeOnEscape}
    position={{ bottom: 72, left: 'calc(50% + var(--staff-nav-w, 0px) / 2)' }}
    withinPortal={false}
    radius="lg"
    aria-label={texts.actionsForSelection}
    className={css.selection}
  >
    <b className="num" role="status">
      {format(texts.selectedCount, { n: count(n) })}
    </b>
    <ActionBar.Divider />
    {children}
    <ActionBar.Divider />
    <ActionIcon aria-label={texts.clearSelection} onClick={onClear}>
      <IconX size={17} />
    </ActionIcon>
  </ActionBar>
)
