import { Skeleton } from '@mantine/core'
import { shallowEqual, useCallbackRef } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Fragment, type KeyboardEvent, memo, type RefObject, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import css from './ResourceTable.module.css'
import type { Column, TableProps } from './ResourceTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import * as texts from './texts.ts'
import { isInControl } from './useRowKeys.ts'
import type { Selection } from './useSelection.ts'
import { type TableGrid, useTableGrid } from './useTableGrid.ts'
import { ROW_HEIGHT, useVisibleRows } from './useVisibleRows.ts'

type Id = string | number
type OnRowKeyDown<Row> = (event: KeyboardEvent<HTMLElement>, row: Row) => void

type Props<Row> = TableProps<Row> & {
  onKeyDown: OnRowKeyDown<Row>
  selection: Selection<Row>
  scroller: RefObject<HTMLElement | null>
  /** In px. */
  minWidth: number | undefined
}

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
  scroller,
  minWidth,
  ...props
}: Props<Row>) {
  const { name, sort, onSort, bulkActions, rowActions, isEmbedded, grid } = props
  const [focused, setFocused] = useState<Id>()
  const table = useRef<HTMLTableElement>(null)
  const columnIds = [...(bulkActions ? ['select'] : []), ...columns.map(({ id }) => id)]
  const { focused: focusedCell, tableProps } = useTableGrid({ table, grid, rows, idOf, columnIds })
  const indexOf = (id: Id | undefined) => (id === undefined ? -1 : (rows?.findIndex((row) => idOf(row) === id) ?? -1))
  const focusedIndex = indexOf(grid ? focusedCell?.id : focused)
  const focusableIndex = Math.max(0, focusedIndex)
  const focusedColumn = focusedIndex >= 0 ? focusedCell?.column : undefined
  const focusableColumn = columnIds.find((id) => id === focusedColumn) ?? columns[0]?.id
  const visible = useVisibleRows(scroller, rows?.length ?? 0, [focusedIndex, indexOf(openId)])
  const columnCount = columnIds.length + (rowActions ? 1 : 0)
  // Functions that never change, so that rows only render when their data changes.
  const handleOpen = useCallbackRef(onOpen)
  const handleKeyDown = useCallbackRef(props.onKeyDown)
  const handleToggle = useCallbackRef(selection.toggle)
  return (
    <table
      ref={table}
      data-stale={query.isPlaceholderData || undefined}
      style={{ minWidth }}
      {...(grid && { 'aria-label': name, ...tableProps })}
    >
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
                ref={(box) => {
                  if (box) box.indeterminate = selection.selected.length > 0 && !selection.isPageSelected
                }}
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
        {rows &&
          visible.map((index, n) => {
            const row = rows[index] as Row
            const id = idOf(row)
            return (
              <Fragment key={id}>
                <Gap rows={index - (visible[n - 1] ?? -1) - 1} />
                <MemoizedRow
                  id={id}
                  index={index}
                  row={row}
                  label={labelOf(row)}
                  columns={columns}
                  actions={rowActions}
                  Cell={grid?.Cell}
                  isSelected={bulkActions && selection.isSelected(row)}
                  isOpen={id === openId}
                  isFocusable={index === focusableIndex}
                  focusableColumn={index === focusableIndex ? focusableColumn : undefined}
                  onOpen={onOpen && handleOpen}
                  onKeyDown={handleKeyDown}
                  onToggle={handleToggle}
                  onFocus={setFocused}
                />
              </Fragment>
            )
          })}
        {rows && <Gap rows={rows.length - (visible.at(-1) ?? rows.length - 1) - 1} />}
        {!rows &&
          Array.from({ length: PLACEHOLDER_ROWS[isEmbedded ? 'embedded' : 'page'] }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
            <tr key={i} aria-hidden>
              <td colSpan={columnCount}>
                <Skeleton height={12} width={`${90 - ((i * 17) % 40)}%`} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** The place of rows that are not rendered. */
const Gap = ({ rows }: { rows: number }) => rows > 0 && <tr aria-hidden style={{ height: rows * ROW_HEIGHT }} />

type TableRowProps<Row> = Pick<TableProps<Row>, 'columns' | 'onOpen'> & {
  id: Id
  /** Among the rows of the page. */
  index: number
  row: Row
  label: string
  actions: TableProps<Row>['rowActions']
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined
  isOpen: boolean
  isFocusable: boolean
  /** In a grid: its cell that Tab reaches. */
  focusableColumn: string | undefined
  Cell: TableGrid<Row>['Cell'] | undefined
  onKeyDown: OnRowKeyDown<Row>
  onToggle: (row: Row, isRange: boolean) => void
  onFocus: (id: Id) => void
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { id, index, row, label, columns, actions, Cell, isSelected, isOpen, isFocusable, focusableColumn } = props
  const { onOpen, onKeyDown, onToggle, onFocus } = props
  const offset = isSelected === undefined ? 1 : 2
  const cellProps = (column: string, position: number) =>
    Cell && {
      role: 'gridcell',
      'aria-colindex': position,
      'data-column': column,
      tabIndex: column === focusableColumn ? 0 : -1,
    }
  const rowProps = Cell
    ? { 'aria-rowindex': index + 2, 'data-index': index }
    : {
        tabIndex: isFocusable ? 0 : -1,
        'data-clickable': onOpen ? true : undefined,
        onFocus: () => onFocus(id),
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, row),
        onClick: ({ target }: { target: EventTarget }) => !isInControl(target) && onOpen?.(row),
      }
  return (
    <tr data-row aria-label={label} aria-selected={isSelected} data-open={isOpen || undefined} {...rowProps}>
      {isSelected !== undefined && (
        <td {...cellProps('select', 1)}>
          <input
            type="checkbox"
            className={css.check}
            {...(Cell && { tabIndex: -1 })}
            aria-label={format(texts.selectRow, { label })}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(row, (nativeEvent as MouseEvent).shiftKey)}
          />
        </td>
      )}
      {columns.map((column, n) => {
        const numeric = { 'data-numeric': column.isNumeric || undefined }
        if (Cell)
          return (
            <Cell key={column.id} {...{ row, column }} cell={{ ...numeric, ...cellProps(column.id, n + offset) }} />
          )
        return (
          <td key={column.id} {...numeric}>
            {column.cell(row)}
          </td>
        )
      })}
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
