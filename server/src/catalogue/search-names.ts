import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { either } from './search-facets.ts'
import { phraseOf, slipsBetween, wordsOf } from './words.ts'

export type Named = { id: number; name: string; once_called?: readonly string[] }

/** All genres, sub-genres and moods, the main ones first. */
export const allGenres = async (sql: Sql): Promise<Named[]> =>
  sql<Named[]>`
    select genre_id as id, name, array(select f.name from former_genre f where f.genre_id = g.genre_id) as once_called
    from genre g order by kind = 'mood', parent_id is not null, position, genre_id`

/** The genres meant by a name: those called so, else those once called so, else every one whose name has all its words. Refuses `invalid_filter`. */
export function genresCalled(text: string, genres: readonly Named[]): Named[] {
  const called = genres.filter(({ name }) => phraseOf(name) === phraseOf(text))
  if (called.length > 0) return called
  const once = genres.filter(({ once_called }) => once_called?.some((name) => phraseOf(name) === phraseOf(text)))
  const found = once.length > 0 ? once : withAllWords(text, genres)
  return found.length > 0 ? found : refuseName('genre', text, genres)
}

/** The kinds of version whose name has all these words. Refuses `invalid_filter`. */
export function versionsCalled(text: string, kinds: readonly Named[]): Named[] {
  const found = withAllWords(text, kinds)
  return found.length > 0 ? found : refuseName('version', text, kinds)
}

function withAllWords(text: string, named: readonly Named[]): Named[] {
  const words = wordsOf(text)
  return named.filter(({ name }) => {
    const has = new Set(wordsOf(name))
    return words.every((word) => has.has(word))
  })
}

/** Slips that still count as near: one letter in three or four. */
const isNear = (slips: number, length: number): boolean => slips <= Math.max(1, Math.floor(length / 3))

function refuseName(thing: 'genre' | 'version', text: string, named: readonly Named[]): never {
  const asked = phraseOf(text)
  const near = named
    .map(({ name }) => ({ name, slips: slipsBetween(phraseOf(name), asked) }))
    .sort((a, b) => a.slips - b.slips)[0]
  const hint =
    near && isNear(near.slips, asked.length)
      ? ` Did you mean ${near.name}?`
      : named.length > 0
        ? ` Try ${either(named.slice(0, 3).map(({ name }) => name))}.`
        : ''
  throw new Refusal('invalid_filter', `No ${thing} matches “${text}”.${hint}`)
}
