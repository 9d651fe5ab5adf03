import { charts } from '@dubplate/contract'
import { booleanFlag, oneOf, positiveInteger, searchFields, trimmedText } from '../platform/search-fields.ts'
import { ORDERS, type Sort } from './SortHeader.tsx'
import { LIST_SECTIONS } from './section.ts'

/** The URL parameters of lists. */
const section = oneOf(LIST_SECTIONS)
const sorted = { page: positiveInteger, order: oneOf(ORDERS), dir: oneOf(['ASC', 'DESC']), section }

/** The filter of a list, as FilterBar changes it. */
const filters = {
  bpm: trimmedText,
  key: trimmedText,
  year: trimmedText,
  /** Version type codes, separated by commas. */
  versions: trimmedText,
  /** Ids, separated by commas. */
  genres: trimmedText,
  /** Only songs that fit the playing one. */
  fits: booleanFlag,
  /** Only songs this member has not downloaded yet. */
  fresh: booleanFlag,
  /** No favourites, songs of own playlists, or downloads. */
  notInLibrary: booleanFlag,
  /** No songs of the member's DJ library, or downloads. */
  notOwned: booleanFlag,
}

export const homeAddress = searchFields({ genre: positiveInteger, section })
export const sectionAddress = searchFields({ section })
export const pageAddress = searchFields({ page: positiveInteger })
export const playlistsAddress = searchFields({ find: trimmedText })
export const songsAddress = searchFields({ page: positiveInteger, ...filters })
export const listAddress = searchFields({ ...sorted, ...filters, genre: positiveInteger })
export const chartAddress = searchFields({
  ...sorted,
  ...filters,
  genre: positiveInteger,
  chart: oneOf(charts.CHART_TYPES),
})
export const crateAddress = searchFields({ page: positiveInteger, genre: positiveInteger, ...filters })
export const searchAddress = searchFields({
  ...sorted,
  ...filters,
  genre: positiveInteger,
  title: trimmedText,
  artist: trimmedText,
})
export type SearchAddress = ReturnType<typeof searchAddress>

/** The sort order of the URL as the API takes it; empty for the list's own order. */
export const orderInput = ({ order, dir }: Sort) => (order ? { order, orderDir: dir ?? 'ASC' } : {})

/** The page of the artists of a song, as its row names them. */
export const artistLink = (name: string) => ({ to: '/artist/$name', params: { name } }) as const

export const labelLink = (name: string) => ({ to: '/label/$name', params: { name } }) as const
