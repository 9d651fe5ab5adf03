import { Skeleton } from '@mantine/core'
import { shallowEqual, useCallbackRef } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useState } from 'react'
import { format } from '../platform/message.ts'
import css from './ResourceTable.module.css'
import type { Column, TableProps } from './ResourceTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import * as texts from './texts.ts'
import { isInControl } from './useRowKeys.ts'
import type { useSelection } from './useSelection.ts'

type Id = string | number
type OnRowKeyDown<Row> = (event: KeyboardEvent<HTMLElement>, row: Row) => void

type Props<Row> = TableProps<Row> & { onKeyDown: OnRowKeyDown<Row>; selection: ReturnType<typeof useSelection<Row>> }

const PLACEHOLDER_ROWS = { page: 14, embedded: 3 }

/** The rows of a table as columns. */
export function TableRows<Row>({
  columns,
  rows,
  query,
  idOf,
  labelOf,
  onOpen,
  openId,
  selection,
  ...props
}: Props<Row>) {
  const { sort, onSort, bulkActions, rowActions, isEmbedded } = props
  const [focused, setFocused] = useState<Id>()
  const focusable = rows?.some((row) => idOf(row) === focused) ? focused : rows?.[0] && idOf(rows[0])
  // Functions that never change, so that rows only render when their data changes.
  const handleOpen = useCallbackRef(onOpen)
  const handleKeyDown = useCallbackRef(props.onKeyDown)
  const handleToggle = useCallbackRef(selection.toggle)
  return (
    <table data-stale={query.isPlaceholderData || undefined}>
      <colgroup>
        {bulkActions && <col style={{ width: 44 }} />}
        {columns.map(({ id, width }) => (
          <col key={id} style={width === 'auto' ? {} : { width }} />
        ))}
        {rowActions && <col style={{ width: 62 }} />}
      </colgroup>
      <thead>
        <tr>
          {bulkActions && (
            <th>
              <input
                type="checkbox"
                className={css.check}
                aria-label={texts.selectPage}
                checked={selection.isPageSelected}
                data-some={(selection.selected.length > 0 && !selection.isPageSelected) || undefined}
                onChange={selection.togglePage}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
          {rowActions && (
            <th>
              <span className="sr">{texts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => {
          const id = idOf(row)
          return (
            <MemoizedRow
              key={id}
              id={id}
              row={row}
              label={labelOf(row)}
              columns={columns}
              actions={rowActions}
              isSelected={bulkActions && selection.isSelected(row)}
              isOpen={id === openId}
              isFocusable={id === focusable}
              onOpen={onOpen && handleOpen}
              onKeyDown={handleKeyDown}
              onToggle={handleToggle}
              onFocus={setFocused}
            />
          )
        }) ??
          Array.from({ length: PLACEHOLDER_ROWS[isEmbedded ? 'embedded' : 'page'] }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
            <tr key={i} aria-hidden>
              <td colSpan={columns.length + (bulkActions ? 1 : 0) + (rowActions ? 1 : 0)}>
                <Skeleton height={12} width={`${90 - ((i * 17) % 40)}%`} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

type TableRowProps<Row> = Pick<TableProps<Row>, 'columns' | 'onOpen'> & {
  id: Id
  row: Row
  label: string
  actions: TableProps<Row>['rowActions']
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined
  isOpen: boolean
  isFocusable: boolean
  onKeyDown: OnRowKeyDown<Row>
  onToggle: (row: Row, isRange: boolean) => void
  onFocus: (id: Id) => void
}

function TableRow<Row>({ id, row, label, columns, actions, isSelected, ...props }: TableRowProps<Row>) {
  const { isOpen, isFocusable, onOpen, onKeyDown, onToggle, onFocus } = props
  return (
    <tr
      data-row
      aria-label={label}
      aria-selected={isSelected}
      data-open={isOpen || undefined}
      data-clickable={onOpen ? true : undefined}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={() => onFocus(id)}
      onKeyDown={(event) => onKeyDown(event, row)}
      onClick={({ target }) => !isInControl(target) && onOpen?.(row)}
    >
      {isSelected !== undefined && (
        <td>
          <input
            type="checkbox"
            className={css.check}
            aria-label={format(texts.selectRow, { label })}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(row, (nativeEvent as MouseEvent).shiftKey)}
          />
        </td>
      )}
      {columns.map(({ id, cell, isNumeric }) => (
        <td key={id} data-numeric={isNumeric || undefined}>
          {cell(row)}
        </td>
      ))}
      {actions && (
        <td>
          <RowMenu row={row} label={label} actions={actions} />
        </td>
      )}
    </tr>
  )
}

/** The list of columns is new each time, so its entries are compared. */
const MemoizedRow = memo(
  TableRow,
  ({ columns: columnsBefore, ...before }, { columns, ...after }) =>
    shallowEqual(columnsBefore, columns) && shallowEqual(before, after),
) as typeof TableRow

type HeaderCellProps<Row> = { column: Column<Row> } & Pick<TableProps<Row>, 'sort' | 'onSort'>

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { header, isNumeric, sort: ascending, isDescendingFirst } = column
  const numeric = { 'data-numeric': isNumeric || undefined }
  if (!ascending || !onSort)
    return (
      <th scope="col" {...numeric}>
        {header}
      </th>
    )
  const descending = `-${ascending}`
  const [first, second] = isDescendingFirst ? [descending, ascending] : [ascending, descending]
  const direction = sort === ascending ? 'ascending' : sort === descending ? 'descending' : undefined
  return (
    <th scope="col" aria-sort={direction} {...numeric}>
      <button type="button" onClick={() => onSort(sort === first ? second : first)}>
        {header}
        {direction === 'ascending' && <IconChevronUp size={13} aria-hidden />}
        {direction === 'descending' && <IconChevronDown size={13} aria-hidden />}
      </button>
    </th>
  )
}
