import type { Pagination } from '@dubplate/contract'
import { useMergedRef } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useElementWidth } from '../ui/useElementWidth.ts'
import { ColumnMenu } from './ColumnMenu.tsx'
import { NarrowRows } from './NarrowRows.tsx'
import css from './ResourceTable.module.css'
import type { RowAction } from './RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { TableFooter } from './TableFooter.tsx'
import { TableRows } from './TableRows.tsx'
import { useColumnChoice } from './useColumnChoice.ts'
import { useFocusNextRow } from './useFocusNextRow.ts'
import { useRowKeys } from './useRowKeys.ts'
import { type Selection, useSelection } from './useSelection.ts'
import type { TableGrid } from './useTableGrid.ts'

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
  /** Hidden until the user chooses it. */
  isOptional?: boolean
  /** The value of `sort` that sorts by this column, in ascending order; with a “-” before it, in descending order. */
  sort?: string
  /** Whether the first click sorts in descending order: for dates and amounts. */
  isDescendingFirst?: boolean
}

export type TableProps<Row> = {
  /** What the table lists, for screen readers: 'Members'. */
  name: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined
  pagination?: Pagination | undefined
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
  onPage?: (page: number) => void
  /** The actions for the selected rows. Without it, rows cannot be selected. */
  bulkActions?: (rows: Row[], clear: () => void) => ReactNode
  /** The selection, if it is kept by the page. */
  selection?: Selection<Row>
  /** Lets the keyboard move between cells instead of rows. */
  grid?: TableGrid<Row>
  rowActions?: readonly RowAction<Row>[]
  /** The line above the table: views, search, filters. */
  toolbar?: ReactNode
  /** Below the table, instead of the keys of its rows. */
  footer?: ReactNode
  /** Shown instead of the rows if there are none. */
  empty: { icon?: ReactNode; title: string; text: ReactNode; action?: ReactNode }
  /** Whether it is one of several parts of a page: it is then as high as its rows, and has no choice of columns. */
  isEmbedded?: boolean
}

/** Narrower tables show two lines per row instead of columns, in px. */
const NARROW = 560

/** A list of the back office as a table: sorting, columns, selection, keys, pages, and all states of loading. */
export function ResourceTable<Row>(props: TableProps<Row>) {
  const { name, rows, pagination, query, errorTitle, idOf, toolbar, empty, bulkActions, isEmbedded } = props
  const { error, isPlaceholderData } = query
  const { ref, width } = useElementWidth()
  const ownSelection = useSelection(rows, idOf)
  const selection = props.selection ?? ownSelection
  const { isShown, show, minWidth } = useColumnChoice(props, width)
  const isNarrow = width > 0 && width < NARROW
  const columns = props.columns.filter(isShown)
  const onKeyDown = useRowKeys(props, selection.toggle)
  const scroller = useRef<HTMLDivElement>(null)
  const scrollerRef = useMergedRef(scroller, ref)
  useFocusNextRow(scroller, rows)
  const page = pagination?.page
  // Another page starts at its top.
  useEffect(() => void scroller.current?.scrollTo({ top: 0 }), [page])
  // Another row is open.
  useEffect(() => {
    scroller.current?.querySelector('tr[data-open]')?.scrollIntoView({ block: 'nearest' })
  }, [props.openId])
  return (
    <section className={css.table} aria-label={name} data-embedded={isEmbedded}>
      {!isEmbedded && (
        <div className={css.bar}>
          {toolbar}
          {!isNarrow && <ColumnMenu columns={props.columns} isShown={isShown} onChange={show} />}
        </div>
      )}
      <div className={css.scroller} ref={scrollerRef} aria-busy={isPlaceholderData || (!rows && !error) || undefined}>
        {error && !rows ? (
          <ErrorState error={error} title={errorTitle} retry={() => void query.refetch()} />
        ) : rows?.length === 0 ? (
          <EmptyState icon={empty.icon ?? <IconSearch size={24} />} title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        ) : isNarrow ? (
          <NarrowRows {...props} onKeyDown={onKeyDown} />
        ) : (
          <TableRows {...props} {...{ columns, minWidth, scroller, selection, onKeyDown }} />
        )}
      </div>
      {(pagination?.totalCount ?? rows?.length ?? 0) > 0 && <TableFooter {...props} isNarrow={isNarrow} />}
      {bulkActions && selection.count > 0 && (
        // In a grid, Escape first has other uses.
        <SelectionBar count={selection.count} onClear={selection.clear} closeOnEscape={!props.grid}>
          {bulkActions(selection.selected, selection.clear)}
        </SelectionBar>
      )}
    </section>
  )
}
