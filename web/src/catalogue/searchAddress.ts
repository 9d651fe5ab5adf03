import { format } from '../platform/message.ts'
import { orderInput, type SearchAddress } from './addresses.ts'
import { sectionInput } from './section.ts'
import * as texts from './texts.ts'

export const MIN_SEARCH_LENGTH = 3
export const TOO_SHORT = format(texts.enterAtLeastCharactersTo, { min: MIN_SEARCH_LENGTH })

/** The filters of a search as its address carries them. */
export const NO_FILTERS = {
  title: undefined,
  artist: undefined,
  bpm: undefined,
  key: undefined,
  year: undefined,
  genre: undefined,
  versions: undefined,
  fresh: undefined,
}

export const versionsOf = ({ versions }: SearchAddress) => versions?.split(',').filter(Boolean) ?? []

export const hasFilter = (address: SearchAddress) =>
  (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => address[name] !== undefined)

/** Beside a filter a word may be short. */
export const isAskable = (term: string, address: SearchAddress) =>
  term.length >= MIN_SEARCH_LENGTH || hasFilter(address)

/** An address as the call takes it. */
export const inputOf = (term: string, address: SearchAddress) => ({
  searchTerm: term,
  page: address.page ?? 1,
  genre_id: address.genre,
  ...sectionInput(address.section),
  versions: versionsOf(address),
  not_downloaded: address.fresh === 1,
  SongEntitySearch: {
    title: address.title ?? '',
    artist: address.artist ?? '',
    bpm: address.bpm ?? '',
    song_key: address.key ?? '',
    year: address.year ?? '',
  },
  ...orderInput(address),
})
