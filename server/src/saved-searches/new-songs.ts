import { countAdded, type KeptSearch, readAgain, type Surroundings } from '../catalogue/search-again.ts'
import type { SearchWish } from '../catalogue/search-wish.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Kept } from './kept.ts'

/** More are not told apart. */
export const MOST_NEW = 100

/** The wish of a kept search; where it cannot be asked any more, why. */
export type Read = { wish: SearchWish; trouble: '' } | { wish: undefined; trouble: string }

export const asSearch = ({ query }: Pick<Kept, 'query'>): KeptSearch => ({
  ...query,
  genre_id: query.genre_id ?? undefined,
})

export function readKept(kept: Kept, around: Surroundings): Read {
  try {
    return { wish: readAgain(asSearch(kept), { ...around, customer_id: kept.customer_id }), trouble: '' }
  } catch (error) {
    if (error instanceof Refusal) return { wish: undefined, trouble: error.message }
    throw error
  }
}

/** How many songs it finds that came within these moments, up to `MOST_NEW`; 0 of one that cannot be asked. */
export const countNew = async (
  sql: Sql,
  { wish }: Read,
  moments: { after: string; until?: string },
): Promise<number> => (wish ? countAdded(sql, wish, moments, MOST_NEW) : 0)
