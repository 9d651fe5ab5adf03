import { Skeleton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import css from './ResourceTable.module.css'
import type { TableProps } from './ResourceTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import { isInControl } from './useRowKeys.ts'

type Props<Row> = TableProps<Row> & { onKeyDown: (event: KeyboardEvent<HTMLElement>, row: Row) => void }

const PLACEHOLDER_ROWS = 10

/** The rows of a table that is too narrow for columns: two lines each. */
export const NarrowRows = <Row,>({ rows, query, idOf, labelOf, narrowRow, onOpen, ...props }: Props<Row>) => (
  <ul data-stale={query.isPlaceholderData || undefined}>
    {rows?.map((row) => {
      const { start, end } = narrowRow(row)
      return (
        <li
          key={idOf(row)}
          data-row
          className={css.narrowRow}
          aria-label={labelOf(row)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the table work on the focused row
          tabIndex={0}
          onKeyDown={(event) => props.onKeyDown(event, row)}
          onClick={({ target }) => !isInControl(target) && onOpen?.(row)}
        >
          <div>{start}</div>
          <div className={css.narrowEnd}>{end}</div>
          {props.rowActions && <RowMenu row={row} label={labelOf(row)} actions={props.rowActions} />}
        </li>
      )
    }) ??
      Array.from({ length: PLACEHOLDER_ROWS }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <li key={i} className={css.narrowRow} aria-hidden>
          <Skeleton height={12} width="60%" />
        </li>
      ))}
  </ul>
)
