import { format } from '../format/message.ts'
import * as texts from './texts.ts'

export type Movement = {
  direction: 'up' | 'down' | 'same' | 'new'
  /** The short text: '▲3'. */
  sign: string
  /** The text for screen readers: 'up 3 places'. */
  words: string
}

/** The movement of a song since the previous period; null if it had no rank then. */
export function movementOf(rank: number, before: number | null): Movement {
  if (before === null) return { direction: 'new', sign: texts.newEntryMark, words: texts.newEntry }
  const placesMoved = before - rank
  if (placesMoved === 0) return { direction: 'same', sign: '–', words: texts.noChange }
  const [direction, mark] = placesMoved > 0 ? (['up', '▲'] as const) : (['down', '▼'] as const)
  return {
    direction,
    sign: `${mark}${Math.abs(placesMoved)}`,
    words: format(direction === 'up' ? texts.upPlaces : texts.downPlaces, { count: Math.abs(placesMoved) }),
  }
}
