import { plural } from '../platform/format.ts'
import * as texts from './texts.ts'

export type Movement = {
  direction: 'up' | 'down' | 'same' | 'new'
  /** What is drawn: '▲3'. */
  sign: string
  /** What is read out: 'up 3 places'. */
  words: string
}

/** How a song stands to its place in the period before; null where it had none. */
export function movementOf(rank: number, before: number | null): Movement {
  if (before === null) return { direction: 'new', sign: 'NEW', words: texts.newEntry }
  const placesMoved = before - rank
  if (placesMoved === 0) return { direction: 'same', sign: '–', words: texts.noChange }
  const [direction, mark] = placesMoved > 0 ? (['up', '▲'] as const) : (['down', '▼'] as const)
  return {
    direction,
    sign: `${mark}${Math.abs(placesMoved)}`,
    words: `${direction} ${plural(Math.abs(placesMoved), 'place')}`,
  }
}
