import type { Pool } from '../platform/db.ts'
import { findAllButOne, findBegun, findSimilar, readKindly } from './search-forgiving.ts'
import { findExact, findOtherTempi, prepare, type Quest, type Slice } from './search-tiers.ts'
import type { SearchWish } from './search-wish.ts'

/** A search counts exactly to here; beyond it says "more". */
export const COUNTED_TO = 1000
const MOST = COUNTED_TO + 1
/** Fewer finds than this, and less exact ones are let in behind them. */
const FEW = 24

export type FoundId = {
  entity_id: number
  words: 'exact' | 'similar' | 'partial'
  tempo: 'same' | 'half' | 'double'
}

export type Found = { songs: FoundId[]; exactCount: number; totalCount: number; more: boolean }

/**
 * A slice of one stable row of songs: those that have every word (first the ones whose whole title or artist it is), the
 * same at half and at double tempo, and where these are few, songs with words one slip away, then with words that only
 * begin so. Within each the newest first.
 */
export async function search(sql: Pool, wish: SearchWish, slice: Slice): Promise<Found> {
  const quest = await prepare(sql, wish)
  if (quest.vocabulary.newest === 0) return { songs: [], exactCount: 0, totalCount: 0, more: false }
  const isBeyond = slice.offset >= COUNTED_TO
  const exact = await findExact(quest, isBeyond ? { offset: 0, limit: 0 } : slice, MOST)
  const behind = exact.count < MOST ? await findBehind(quest, exact, slice) : []
  const total = exact.count + behind.length
  const from = Math.max(0, slice.offset - exact.count)
  const shown = behind.slice(from, from + slice.limit - exact.ids.length)
  return {
    songs: isBeyond ? [] : [...exact.ids.map((entity_id) => mark(entity_id, 'exact')), ...shown],
    exactCount: Math.min(exact.count, COUNTED_TO),
    totalCount: Math.min(total, COUNTED_TO),
    more: total > COUNTED_TO,
  }
}

const mark = (entity_id: number, words: FoundId['words'], tempo: FoundId['tempo'] = 'same'): FoundId => ({
  entity_id,
  words,
  tempo,
})

/** All songs of the row behind the exact ones, as far as the row is counted. */
async function findBehind(quest: Quest, exact: { ids: number[]; count: number }, slice: Slice): Promise<FoundId[]> {
  const others = await findOtherTempi(quest, MOST - exact.count)
  const behind = others.flatMap(({ tempo, ids }) => ids.map((id) => mark(id, 'exact', tempo)))
  const few = () => exact.count + behind.length < FEW
  if (!few() || quest.wish.words.length === 0) return behind.slice(0, MOST - exact.count)
  const leading =
    slice.offset === 0 && slice.limit >= FEW ? exact : await findExact(quest, { offset: 0, limit: FEW }, MOST)
  const seen = new Set([...leading.ids, ...behind.map(({ entity_id }) => entity_id)])
  const add = (ids: readonly number[], words: FoundId['words']) => {
    const fresh = ids.filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    behind.push(...fresh.map((id) => mark(id, words)))
  }
  const readings = await readKindly(quest, exact.count + behind.length)
  add(await findSimilar(quest, readings, MOST), 'similar')
  if (few()) add(await findBegun(quest, readings, MOST), 'partial')
  if (seen.size === 0) add(await findAllButOne(quest, readings, MOST), 'partial')
  return behind.slice(0, MOST - exact.count)
}
