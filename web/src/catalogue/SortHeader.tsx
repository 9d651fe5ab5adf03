// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside

import { format } from '../format/message.ts'
import * as texts from './texts.ts'

export const ORDERS = ['title', 'min_bpm', 'song_key', 'created_at'] as const
export type Order = (typeof ORDERS)[number]
type Direction = 'ASC' | 'DESC'

/** How a list is sorted, as in the URL; `order` undefined is the list's own order. */
export type Sort<O extends string = Order> = { order?: O; dir?: Direction }
export type Sorting<O extends string = Order> = { sort: Sort<O>; onSort: (sort: Sort<O>) => void }

/** The first direction of a column: newest first for dates, ascending for everything else. */
const firstDirection = (order: string): Direction => (order === 'created_at' ? 'DESC' : 'ASC')

const opposite = (dir: Direction): Direction => (dir === 'ASC' ? 'DESC' : 'ASC')

/** The three states of a heading in turn: sorted, reversed, the list's own order. */
export function nextSort<O extends string>(sort: Sort<O>, order: O): Sort<O> {
  const first = firstDirection(order)
  if (sort.order !== order) return { order, dir: first }
  return sort.dir === first ? { order, dir: opposite(first) } : {}
}

type Props<O extends string> = {
  order: O
  text: string
  className: string | undefined
  sorting: Sorting<O> | undefined
}

/** A column heading that sorts; plain text when the list has only one order. */
export function SortHeader<O extends string = Order>({ order, text, className, sorting }: Props<O>) {
  const dir = sorting?.sort.order === order ? sorting.sort.dir : undefined
  const ariaSort = dir ? (dir === 'ASC' ? 'ascending' : 'descending') : 'none'
  return (
    <div role="columnheader" className={className} aria-sort={sorting && ariaSort}>
      {sorting ? (
        <button
          type="button"
          title={format(texts.sortBy, { text })}
          onClick={() => sorting.onSort(nextSort(sorting.sort, order))}
        >
          {text}
          {dir && <span aria-hidden>{dir === 'ASC' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        text
      )}
    </div>
  )
}
