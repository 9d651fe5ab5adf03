import { editDistance, normalizePhrase, wordsOf } from '../catalogue/words.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { joinWithOr } from './search-facets.ts'

export type NamedItem = { id: number; name: string; former_names?: readonly string[] }

/** All genres, sub-genres and moods, the main ones first. */
export const allGenres = async (sql: Sql): Promise<NamedItem[]> =>
  sql<NamedItem[]>`
    select genre_id as id, name, array(select f.name from genre_alias f where f.genre_id = g.genre_id) as former_names
    from genre g order by kind = 'mood', parent_id is not null, position, genre_id`

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
  const asked = normalizePhrase(text)
  const near = named
    .map(({ name }) => ({ name, slips: editDistance(normalizePhrase(name), asked) }))
    .sort((a, b) => a.slips - b.slips)[0]
  const hint =
    near && isNear(near.slips, asked.length)
      ? ` Did you mean ${near.name}?`
      : named.length > 0
        ? ` Try ${joinWithOr(named.slice(0, 3).map(({ name }) => name))}.`
        : ''
  throw new ApiError('invalid_filter', `No ${itemType} matches “${text}”.${hint}`)
}
