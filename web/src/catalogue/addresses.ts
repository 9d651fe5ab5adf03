import { charts } from '@dubplate/contract'
import { booleanFlag, oneOf, positiveInteger, searchFields, trimmedText } from '../platform/search-fields.ts'
import { ORDERS, type Sort } from './SortHeader.tsx'
import { LIST_SECTIONS } from './section.ts'

/** What the addresses of lists carry. */
const section = oneOf(LIST_SECTIONS)
const sorted = { page: positiveInteger, order: oneOf(ORDERS), dir: oneOf(['ASC', 'DESC']), section }

export const homeAddress = searchFields({ genre: positiveInteger, fresh: positiveInteger, section })
export const sectionAddress = searchFields({ section })
export const pageAddress = searchFields({ page: positiveInteger })
export const listAddress = searchFields({ ...sorted, genre: positiveInteger })
export const chartAddress = searchFields({ ...sorted, genre: positiveInteger, chart: oneOf(charts.CHART_TYPES) })
export const crateAddress = searchFields({ page: positiveInteger, genre: positiveInteger })
export const searchAddress = searchFields({
  ...sorted,
  genre: positiveInteger,
  title: trimmedText,
  artist: trimmedText,
  bpm: trimmedText,
  key: trimmedText,
  year: trimmedText,
  /** Codes of versions, with commas between. */
  versions: trimmedText,
  /** Only what this member has not downloaded yet. */
  fresh: booleanFlag,
})
export type SearchAddress = ReturnType<typeof searchAddress>

/** The sorting of an address as the calls take it; nothing where the list keeps its own order. */
export const orderInput = ({ order, dir }: Sort) => (order ? { order, orderDir: dir ?? 'ASC' } : {})
