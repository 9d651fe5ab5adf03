import type { Pagination as PageInfo } from '@dubplate/contract'
import { ActionIcon, Menu, Pagination, Skeleton, Tooltip } from '@mantine/core'
import { useElementSize, useLocalStorage, useMergedRef } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconColumns3, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { count } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './ResourceTable.module.css'
import { actionsFor, type RowAction, RowMenu } from './RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import * as texts from './texts.ts'
import { useSelection } from './useSelection.ts'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** In px; the column with 'auto' takes the rest of the width. */
  width: number | 'auto'
  /** Right-aligned, with digits of equal width. */
  isNumeric?: boolean
  /** Shown only if the table is at least this wide, in px. */
  showFrom?: number
  /** The value of `sort` that sorts by this column, in ascending order; with a “-” before it, in descending order. */
  sort?: string
  /** Whether the first click sorts in descending order: for dates and amounts. */
  isDescendingFirst?: boolean
}

type Props<Row> = {
  /** What the table lists, for screen readers: 'Members'. */
  name: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined
  pagination: PageInfo | undefined
  /** The query of the rows: whether they are outdated (of other filters, of another page), and why there are none. */
  query: { isPlaceholderData: boolean; error: Error | null; refetch: () => unknown }
  /** 'Couldn’t load members' */
  errorTitle: string
  idOf: (row: Row) => string | number
  /** Names a row for screen readers. */
  labelOf: (row: Row) => string
  /** The row in two lines, for narrow tables: its two ends. */
  narrowRow: (row: Row) => { start: ReactNode; end: ReactNode }
  onOpen?: (row: Row) => void
  /** The row shown in the side panel. */
  openId?: string | number | undefined
  sort?: string | undefined
  onSort?: (sort: string) => void
  onPage: (page: number) => void
  /** The actions for the selected rows. Without it, rows cannot be selected. */
  bulkActions?: (rows: Row[], clear: () => void) => ReactNode
  rowActions?: readonly RowAction<Row>[]
  /** The line above the table: views, search, filters. */
  toolbar?: ReactNode
  /** Shown instead of the rows if there are none. */
  empty: { icon?: ReactNode; title: string; text: ReactNode; action?: ReactNode }
}

/** Narrower tables show two lines per row instead of columns, in px. */
const NARROW = 560
const PLACEHOLDER_ROWS = 14

/** A list of the back office as a table: sorting, columns, selection, keys, pages, and all states of loading. */
export function ResourceTable<Row>(props: Props<Row>) {
  const { name, rows, pagination, query, errorTitle, idOf, toolbar, empty, onPage } = props
  const { error, isPlaceholderData } = query
  const { ref, width } = useElementSize()
  const selection = useSelection(rows, idOf)
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `dubplate.hidden-columns.${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const isNarrow = width > 0 && width < NARROW
  const columns = props.columns.filter(({ id, showFrom = 0 }) => !hidden.includes(id) && width >= showFrom)
  const keys = useRowKeys(props, selection.toggle)
  const scroller = useRef<HTMLDivElement>(null)
  const scrollerRef = useMergedRef(scroller, ref)
  const page = pagination?.page
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts at its top
  useEffect(() => void scroller.current?.scrollTo({ top: 0 }), [page])
  return (
    <section className={css.table} aria-label={name}>
      <div className={css.bar}>
        {toolbar}
        {!isNarrow && <ColumnMenu columns={props.columns} hidden={hidden} onChange={setHidden} />}
      </div>
      <div className={css.scroller} ref={scrollerRef} aria-busy={isPlaceholderData || (!rows && !error) || undefined}>
        {error && !rows ? (
          <ErrorState error={error} title={errorTitle} retry={() => void query.refetch()} />
        ) : rows?.length === 0 ? (
          <EmptyState icon={empty.icon ?? <IconSearch size={24} />} title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        ) : isNarrow ? (
          <NarrowRows {...props} onKeyDown={keys} selection={selection} />
        ) : (
          <Rows {...props} columns={columns} onKeyDown={keys} selection={selection} />
        )}
      </div>
      {pagination && pagination.totalCount > 0 && (
        <Footer
          pagination={pagination}
          onPage={onPage}
          actions={(props.rowActions ?? []) as readonly RowAction<unknown>[]}
          canSelect={!!props.bulkActions}
          canOpen={!!props.onOpen}
          isNarrow={isNarrow}
        />
      )}
      {props.bulkActions && selection.selected.length > 0 && (
        <SelectionBar count={selection.selected.length} onClear={selection.clear}>
          {props.bulkActions(selection.selected, selection.clear)}
        </SelectionBar>
      )}
    </section>
  )
}

type RowsProps<Row> = Props<Row> & {
  onKeyDown: (event: KeyboardEvent<HTMLElement>, row: Row) => void
  selection: ReturnType<typeof useSelection<Row>>
}

function Rows<Row>({ columns, rows, query, idOf, labelOf, onOpen, openId, selection, ...props }: RowsProps<Row>) {
  const { sort, onSort, bulkActions, rowActions, onKeyDown } = props
  const handlers = useStableHandlers({ onOpen, onKeyDown, toggle: selection.toggle })
  const [focused, setFocused] = useState<string | number>()
  const focusable = rows?.some((row) => idOf(row) === focused) ? focused : rows?.[0] && idOf(rows[0])
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
            <TableRow
              key={id}
              row={row}
              label={labelOf(row)}
              columns={columns as readonly Column<unknown>[]}
              columnIds={columns.map((column) => column.id).join()}
              canSelect={!!bulkActions}
              actions={rowActions as readonly RowAction<unknown>[] | undefined}
              isSelected={selection.isSelected(row)}
              isOpen={id === openId}
              isFocusable={id === focusable}
              canOpen={!!onOpen}
              onFocus={() => setFocused(id)}
              handlers={handlers as Handlers<unknown>}
            />
          )
        }) ?? <PlaceholderRows columns={columns.length + (bulkActions ? 1 : 0) + (rowActions ? 1 : 0)} />}
      </tbody>
    </table>
  )
}

type Handlers<Row> = {
  open: (row: Row) => void
  key: (event: KeyboardEvent<HTMLElement>, row: Row) => void
  toggle: (row: Row, isRange: boolean) => void
}

type LatestHandlers<Row> = {
  onOpen: ((row: Row) => void) | undefined
  onKeyDown: (event: KeyboardEvent<HTMLElement>, row: Row) => void
  toggle: (row: Row, isRange: boolean) => void
}

/** One object that never changes and calls the newest functions, so that rows only render when their data changes. */
function useStableHandlers<Row>(newest: LatestHandlers<Row>): Handlers<Row> {
  const latest = useRef(newest)
  useEffect(() => {
    latest.current = newest
  })
  return useMemo(
    () => ({
      open: (row) => latest.current.onOpen?.(row),
      key: (event, row) => latest.current.onKeyDown(event, row),
      toggle: (row, isRange) => latest.current.toggle(row, isRange),
    }),
    [],
  )
}

type TableRowProps = {
  row: unknown
  label: string
  columns: readonly Column<unknown>[]
  /** Changes when columns are shown or hidden. */
  columnIds: string
  canSelect: boolean
  actions: readonly RowAction<unknown>[] | undefined
  isSelected: boolean
  isOpen: boolean
  isFocusable: boolean
  canOpen: boolean
  onFocus: () => void
  handlers: Handlers<unknown>
}

const CONTROLS = 'a, button, input, label, [role=menuitem]'

const TableRow = memo(
  function TableRow({ row, label, columns, canSelect, isSelected, isOpen, isFocusable, ...props }: TableRowProps) {
    const { actions, canOpen, onFocus, handlers } = props
    return (
      <tr
        data-row
        aria-label={label}
        aria-selected={canSelect ? isSelected : undefined}
        data-open={isOpen || undefined}
        data-clickable={canOpen || undefined}
        tabIndex={isFocusable ? 0 : -1}
        onFocus={onFocus}
        onKeyDown={(event) => handlers.key(event, row)}
        onClick={({ target }) => canOpen && !(target as Element).closest(CONTROLS) && handlers.open(row)}
      >
        {canSelect && (
          <td>
            <input
              type="checkbox"
              className={css.check}
              aria-label={format(texts.selectRow, { label })}
              checked={isSelected}
              onChange={({ nativeEvent }) => handlers.toggle(row, (nativeEvent as MouseEvent).shiftKey)}
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
  },
  (before, after) =>
    before.row === after.row &&
    before.columnIds === after.columnIds &&
    before.actions === after.actions &&
    before.isSelected === after.isSelected &&
    before.isOpen === after.isOpen &&
    before.isFocusable === after.isFocusable,
)

type HeaderCellProps<Row> = { column: Column<Row>; sort: string | undefined; onSort: Props<Row>['onSort'] }

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { header, isNumeric, sort: ascending, isDescendingFirst } = column
  const descending = `-${ascending}`
  const direction =
    sort === undefined ? undefined : { [ascending ?? '']: 'ascending', [descending]: 'descending' }[sort]
  if (!ascending || !onSort)
    return (
      <th scope="col" data-numeric={isNumeric || undefined}>
        {header}
      </th>
    )
  const [firstSort, secondSort] = isDescendingFirst ? [descending, ascending] : [ascending, descending]
  return (
    <th
      scope="col"
      data-numeric={isNumeric || undefined}
      aria-sort={direction as 'ascending' | 'descending' | undefined}
    >
      <button type="button" onClick={() => onSort(sort === firstSort ? secondSort : firstSort)}>
        {header}
        {direction === 'ascending' && <IconChevronUp size={13} aria-hidden />}
        {direction === 'descending' && <IconChevronDown size={13} aria-hidden />}
      </button>
    </th>
  )
}

const PlaceholderRows = ({ columns }: { columns: number }) =>
  Array.from({ length: PLACEHOLDER_ROWS }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
    <tr key={i} aria-hidden>
      <td colSpan={columns}>
        <Skeleton height={12} width={`${90 - ((i * 17) % 40)}%`} />
      </td>
    </tr>
  ))

function NarrowRows<Row>({ rows, query, idOf, labelOf, narrowRow, onOpen, onKeyDown, rowActions }: RowsProps<Row>) {
  if (!rows)
    return (
      <ul>
        {Array.from({ length: PLACEHOLDER_ROWS }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
          <li key={i} className={css.narrowRow} aria-hidden>
            <Skeleton height={12} width="60%" />
          </li>
        ))}
      </ul>
    )
  return (
    <ul data-stale={query.isPlaceholderData || undefined}>
      {rows.map((row) => {
        const { start, end } = narrowRow(row)
        return (
          <li
            key={idOf(row)}
            data-row
            className={css.narrowRow}
            aria-label={labelOf(row)}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the table work on the focused row
            tabIndex={0}
            onKeyDown={(event) => onKeyDown(event, row)}
            onClick={({ target }) => onOpen && !(target as Element).closest(CONTROLS) && onOpen(row)}
          >
            <div>{start}</div>
            <div className={css.narrowEnd}>{end}</div>
            {rowActions && <RowMenu row={row} label={labelOf(row)} actions={rowActions} />}
          </li>
        )
      })}
    </ul>
  )
}

/** j and k move between rows, x selects, Enter opens; then the keys of the table's own actions. */
function useRowKeys<Row>(
  { onOpen, rowActions = [], bulkActions }: Props<Row>,
  toggle: (row: Row, isRange: boolean) => void,
) {
  return (event: KeyboardEvent<HTMLElement>, row: Row) => {
    const { currentTarget, target, key, shiftKey, ctrlKey, metaKey, altKey } = event
    // Controls in the row use the keys themselves.
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    if (step) focusRowBeside(currentTarget, step)
    else if (key.toLowerCase() === 'x' && bulkActions) toggle(row, shiftKey)
    else if (key === 'Enter' && onOpen) onOpen(row)
    else {
      const action = actionsFor(row, rowActions).find((each) => each.key === key.toLowerCase())
      if (!action || event.repeat) return
      action.run(row)
    }
    event.preventDefault()
  }
}

function focusRowBeside(row: HTMLElement, step: number) {
  const beside = step > 0 ? row.nextElementSibling : row.previousElementSibling
  if (!(beside instanceof HTMLElement) || !beside.matches('[data-row]')) return
  beside.focus({ preventScroll: true })
  beside.scrollIntoView({ block: 'nearest' })
}

type ColumnMenuProps<Row> = {
  columns: readonly Column<Row>[]
  hidden: string[]
  onChange: (hidden: string[]) => void
}

/** Which columns are shown: remembered in this browser. The first column is always shown. */
function ColumnMenu<Row>({ columns: [, ...columns], hidden, onChange }: ColumnMenuProps<Row>) {
  return (
    <Menu position="bottom-end" width={200} closeOnItemClick={false} shadow="none">
      <Menu.Target>
        <Tooltip label={texts.columns}>
          <ActionIcon variant="default" size={36} aria-label={texts.columns} className={css.columns}>
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
}

type FooterProps = {
  pagination: PageInfo
  onPage: (page: number) => void
  actions: readonly RowAction<unknown>[]
  canSelect: boolean
  canOpen: boolean
  isNarrow: boolean
}

function Footer({
  pagination: { page, perPageLimit, totalCount },
  onPage,
  actions,
  canSelect,
  canOpen,
  isNarrow,
}: FooterProps) {
  const last = Math.ceil(totalCount / perPageLimit)
  const keys = [
    { keys: ['J', 'K'], label: texts.moveKey },
    ...(canSelect ? [{ keys: ['X'], label: texts.selectKey }] : []),
    ...(canOpen ? [{ keys: ['Enter'], label: texts.openKey }] : []),
    ...actions.flatMap(({ key, label }) =>
      key ? [{ keys: [key.toUpperCase()], label: label.replace(/…$/, '') }] : [],
    ),
  ]
  return (
    <footer className={css.footer}>
      <span className="num">
        {format(texts.rangeOfTotal, {
          from: count((page - 1) * perPageLimit + 1),
          to: count(Math.min(page * perPageLimit, totalCount)),
          total: count(totalCount),
        })}
      </span>
      <span className={css.keys}>
        {keys.map(({ keys, label }) => (
          <span key={label}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}{' '}
            {label}
          </span>
        ))}
      </span>
      {last > 1 && (
        <Pagination
          size="sm"
          total={last}
          value={page}
          onChange={onPage}
          siblings={isNarrow ? 0 : 1}
          boundaries={1}
          classNames={{ control: css.pageButton ?? '' }}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? texts.nextPage : texts.previousPage })}
          getItemProps={(page) => ({ 'aria-label': format(texts.pageNumber, { page: count(page) }) })}
          aria-label={texts.pagesNavigation}
        />
      )}
    </footer>
  )
}
