import { catalogue } from '@dubplate/contract'
import { editDistance, normalizePhrase, wordsOf } from '../catalogue/words.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { joinWithOr } from './search-facets.ts'

const { ALL_SECTIONS, SECTIONS } = catalogue

export type NamedItem = { id: number; name: string; former_names?: readonly string[] }

/** A genre, sub-genre or mood, with its songs in the searched section and in all sections. */
export type SearchGenre = NamedItem & {
  kind: 'genre' | 'mood'
  parent_id: number | null
  song_count: number
  total: number
}

export const toGenreHit = ({ id, name, song_count }: SearchGenre) => ({ genre_id: id, name, song_count })

/** All genres, sub-genres and moods, the main ones first. Every search reads them, so this joins only small tables. */
export async function allGenres(sql: Sql, section: number = ALL_SECTIONS): Promise<SearchGenre[]> {
  const rows = await sql<(Omit<SearchGenre, 'song_count' | 'total'> & { songs: number; kuts: number })[]>`
    select g.genre_id as id, g.name, g.kind, g.parent_id, f.names as former_names,
      coalesce(songs.songs, 0)::int as songs, coalesce(kuts.songs, 0)::int as kuts
    from genre g
    left join genre_counter songs on songs.genre_id = g.genre_id and songs.song_section_id = ${SECTIONS.songs}
    left join genre_counter kuts on kuts.genre_id = g.genre_id and kuts.song_section_id = ${SECTIONS.kuts}
    left join (select genre_id, array_agg(name) as names from genre_alias group by genre_id) f on f.genre_id = g.genre_id
    order by g.kind = 'mood', g.parent_id is not null, g.position, g.genre_id`
  return rows.map(({ songs, kuts, ...genre }) => ({
    ...genre,
    former_names: genre.former_names ?? [],
    song_count: section === SECTIONS.songs ? songs : section === SECTIONS.kuts ? kuts : songs + kuts,
    total: songs + kuts,
  }))
}

/**
 * The genres that a name refers to: those with this name, else those with this former name, else every one whose name
 * has all its words. Throws `invalid_filter`.
 */
export function findGenresByName(text: string, genres: readonly NamedItem[]): NamedItem[] {
  const exactNames = genres.filter(({ name }) => normalizePhrase(name) === normalizePhrase(text))
  if (exactNames.length > 0) return exactNames
  const formerly = genres.filter(({ former_names }) =>
    former_names?.some((name) => normalizePhrase(name) === normalizePhrase(text)),
  )
  const found = formerly.length > 0 ? formerly : findWithAllWords(text, genres)
  return found.length > 0 ? found : rejectName('genre', text, genres)
}

/** The kinds of version whose name has all these words. Throws `invalid_filter`. */
export function findVersionsByName(text: string, kinds: readonly NamedItem[]): NamedItem[] {
  const found = findWithAllWords(text, kinds)
  return found.length > 0 ? found : rejectName('version', text, kinds)
}

function findWithAllWords(text: string, named: readonly NamedItem[]): NamedItem[] {
  const words = wordsOf(text)
  return named.filter(({ name }) => {
    const has = new Set(wordsOf(name))
    return words.every((word) => has.has(word))
  })
}

/** Typos that still count as similar: one letter in three or four. */
const isNear = (typos: number, length: number): boolean => typos <= Math.max(1, Math.floor(length / 3))

function rejectName(itemType: 'genre' | 'version', text: string, named: readonly NamedItem[]): never {
  const normalizedText = normalizePhrase(text)
  const near = named
    .map(({ name }) => ({ name, slips: editDistance(normalizePhrase(name), normalizedText) }))
    .sort((a, b) => a.slips - b.slips)[0]
  const hint =
    near && isNear(near.slips, normalizedText.length)
      ? ` Did you mean ${near.name}?`
      : named.length > 0
        ? ` Try ${joinWithOr(named.slice(0, 3).map(({ name }) => name))}.`
        : ''
  throw new ApiError('invalid_filter', `No ${itemType} matches “${text}”.${hint}`)
}
