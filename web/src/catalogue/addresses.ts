import { charts } from '@dubplate/contract'
import { flag, oneOf, positive, searchFields, words } from '../platform/search-fields.ts'
import { ORDERS, type Sort } from './SortHeader.tsx'
import { LIST_SECTIONS } from './section.ts'

/** What the addresses of lists carry. */
const section = oneOf(LIST_SECTIONS)
const sorted = { page: positive, order: oneOf(ORDERS), dir: oneOf(['ASC', 'DESC']), section }

export const homeAddress = searchFields({ genre: positive, fresh: positive, section })
export const sectionAddress = searchFields({ section })
export const pageAddress = searchFields({ page: positive })
export const listAddress = searchFields({ ...sorted, genre: positive })
export const chartAddress = searchFields({ ...sorted, genre: positive, chart: oneOf(charts.CHART_TYPES) })
export const crateAddress = searchFields({ page: positive, genre: positive })
export const searchAddress = searchFields({
  ...sorted,
  genre: positive,
  title: words,
  artist: words,
  bpm: words,
  key: words,
  year: words,
  /** Codes of versions, with commas between. */
  versions: words,
  /** Only what this member has not downloaded yet. */
  fresh: flag,
})
export type SearchAddress = ReturnType<typeof searchAddress>

/** The sorting of an address as the calls take it; nothing where the list keeps its own order. */
export const orderInput = ({ order, dir }: Sort) => (order ? { order, orderDir: dir ?? 'ASC' } : {})
