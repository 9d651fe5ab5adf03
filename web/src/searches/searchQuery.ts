import { catalogue, parseKey, type savedSearches } from '@dubplate/contract'
import { parseQuery } from '@dubplate/contract/query'
import type { SearchAddress } from '../catalogue/addresses.ts'
import { formatKey } from '../catalogue/mixing.ts'
import { inputOf } from '../catalogue/searchAddress.ts'
import { LIST_SECTIONS, sectionInput } from '../catalogue/section.ts'
import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import type { Notation } from '../platform/preferences.ts'
import * as texts from './texts.ts'

export type Query = savedSearches.SavedSearch['query']

/** The parts of a search that are saved: everything but its page and order. */
export function queryOf(term: string, address: SearchAddress): Query {
  const { searchTerm, genre_id, versions, not_downloaded, SongEntitySearch } = inputOf(term.trim(), address)
  return {
    ...{ searchTerm, genre_id: genre_id ?? null, SongEntitySearch, versions, not_downloaded },
    song_section_id: sectionInput(address.section).song_section_id ?? catalogue.SECTIONS.songs,
  }
}

/** The URL of a saved search: its text and its search parameters. */
export function toSearchAddress({ searchTerm, genre_id, versions, not_downloaded, song_section_id, ...query }: Query) {
  const section = LIST_SECTIONS.find((name) => sectionInput(name).song_section_id === song_section_id)
  const { song_key, ...fields } = query.SongEntitySearch
  const filters = { ...fields, key: song_key, versions: versions.join() }
  const search: SearchAddress = {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
    ...(genre_id ? { genre: genre_id } : {}),
    ...(not_downloaded ? { fresh: 1 } : {}),
    ...(section ? { section } : {}),
  }
  return { term: searchTerm || undefined, search }
}

/** Whether two searches are the same; the order of versions does not matter. */
export const isSameQuery = (a: Query, b: Query): boolean => keyOf(a) === keyOf(b)

const keyOf = ({ searchTerm, genre_id, SongEntitySearch: fields, versions, not_downloaded, song_section_id }: Query) =>
  JSON.stringify([
    ...[searchTerm, genre_id, fields.title, fields.artist, fields.bpm, fields.song_key, fields.year].map((each) =>
      typeof each === 'string' ? each.trim().replace(/\s+/g, ' ').toLowerCase() : each,
    ),
    [...new Set(versions)].sort(),
    not_downloaded,
    song_section_id,
  ])

type Names = { notation: Notation; genreName: (genreId: number) => string | undefined }

/** `intro_clean` → `Intro Clean` */
const versionName = (code: string) =>
  code
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')

function formatKeyFilter(keyText: string, notation: Notation): string {
  const mixes = keyText.startsWith('~')
  const name = keyText.replace(/^~/, '')
  const key = parseKey(name)
  const shown = key ? formatKey(key, notation) : name
  return mixes ? format(texts.compatibleWith, { shown }) : format(texts.key, { shown })
}

/** A search as a list of terms: its words as typed, its filters in words. */
export function queryChips(query: Query, { notation, genreName }: Names): string[] {
  const { title, artist, bpm, song_key, year } = query.SongEntitySearch
  return [
    ...parseQuery(query.searchTerm).map(({ source }) => source),
    query.genre_id ? (genreName(query.genre_id) ?? texts.genre) : '',
    title && format(texts.title, { title }),
    artist && format(texts.artist, { artist }),
    bpm && format(texts.bpm, { bpm }),
    song_key && formatKeyFilter(song_key, notation),
    year && format(texts.year, { year }),
    formatList(query.versions.map(versionName), 'disjunction'),
    query.not_downloaded ? texts.notDownloadedYet : '',
    query.song_section_id === catalogue.SECTIONS.kuts ? texts.kuts : '',
    query.song_section_id === catalogue.ALL_SECTIONS ? texts.songsAndKuts : '',
  ].filter(Boolean)
}

const MAX_NAME_LENGTH = 80

/** The default name of a saved search. */
export const defaultName = (query: Query, names: Names): string =>
  formatList(queryChips(query, names)).slice(0, MAX_NAME_LENGTH).trim()
