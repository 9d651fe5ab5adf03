import { format } from '../format/message.ts'
import { orderInput, type SearchAddress } from './addresses.ts'
import { sectionInput } from './section.ts'
import * as texts from './texts.ts'

export const MIN_SEARCH_LENGTH = 3
export const TOO_SHORT_MESSAGE = format(texts.searchIsTooShort, { min: MIN_SEARCH_LENGTH })

/** The filters of a search in the URL. */
export const NO_FILTERS = {
  title: undefined,
  artist: undefined,
  bpm: undefined,
  key: undefined,
  year: undefined,
  genre: undefined,
  versions: undefined,
  genres: undefined,
  fits: undefined,
  fresh: undefined,
  notInLibrary: undefined,
  notOwned: undefined,
}

const versionsOf = ({ versions }: SearchAddress) => versions?.split(',').filter(Boolean) ?? []

export const hasFilter = (searchAddress: SearchAddress) =>
  (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => searchAddress[name] !== undefined)

/** A tempo or a key of two characters: 95, 8A, 1m, Am. */
const SHORT_TERM = /^([6-9]\d|\d[ABDMabdm]|[A-Ga-g]m|[A-G][#♯b♭])$/

export const isLongEnough = (term: string) => term.length >= MIN_SEARCH_LENGTH || SHORT_TERM.test(term)

/** With a filter, the text may be shorter. */
export const isSearchable = (term: string, searchAddress: SearchAddress) =>
  isLongEnough(term) || hasFilter(searchAddress)

/** The search in the URL as the API takes it. */
export const inputOf = (term: string, searchAddress: SearchAddress) => ({
  searchTerm: term,
  page: searchAddress.page ?? 1,
  genre_id: searchAddress.genre,
  ...sectionInput(searchAddress.section),
  versions: versionsOf(searchAddress),
  not_downloaded: searchAddress.fresh === 1,
  SongEntitySearch: {
    title: searchAddress.title ?? '',
    artist: searchAddress.artist ?? '',
    bpm: searchAddress.bpm ?? '',
    song_key: searchAddress.key ?? '',
    year: searchAddress.year ?? '',
  },
  ...orderInput(searchAddress),
})
