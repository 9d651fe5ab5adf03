import { plural } from '../platform/format.ts'
import * as texts from './texts.ts'

export type Movement = {
  way: 'up' | 'down' | 'same' | 'new'
  /** What is drawn: '▲3'. */
  sign: string
  /** What is read out: 'up 3 places'. */
  words: string
}

/** How a song stands to its place in the period before; null where it had none. */
export function movementOf(rank: number, before: number | null): Movement {
  if (before === null) return { way: 'new', sign: 'NEW', words: texts.newEntry }
  const places = before - rank
  if (places === 0) return { way: 'same', sign: '–', words: texts.noChange }
  const [way, mark] = places > 0 ? (['up', '▲'] as const) : (['down', '▼'] as const)
  return { way, sign: `${mark}${Math.abs(places)}`, words: `${way} ${plural(Math.abs(places), 'place')}` }
}
