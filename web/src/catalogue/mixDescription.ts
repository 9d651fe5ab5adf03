import type { catalogue } from '@dubplate/contract'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

type MixDescription = catalogue.MixingSong['mix']

/** How the key of a song relates to the previous one, in short and in words. */
export const KEY_RELATIONS: Record<NonNullable<MixDescription['key']>, { text: string; meaning: string }> = {
  same: { text: texts.same, meaning: texts.sameKey },
  step: { text: '±1', meaning: texts.oneStepOnTheCamelot },
  relative: { text: texts.relative, meaning: texts.relativeMajorOrMinor },
}

const MULTIPLES = {
  same: { sign: '', unchanged: texts.sameTempo, faster: texts.faster, slower: texts.slower },
  half: {
    sign: '½×',
    unchanged: texts.atHalfTempo,
    faster: texts.fasterAtHalfTempo,
    slower: texts.slowerAtHalfTempo,
  },
  double: {
    sign: '2×',
    unchanged: texts.atDoubleTempo,
    faster: texts.fasterAtDoubleTempo,
    slower: texts.slowerAtDoubleTempo,
  },
} as const satisfies Record<NonNullable<MixDescription['tempo']>, object>

/**
 * How far the tempo has to be changed: '+1.6%', '½× −0.8%', and the same in words. Undefined if a tempo is not known.
 */
export function tempoChange(
  tempo: MixDescription['tempo'],
  percent: number | null,
): { text: string; meaning: string } | undefined {
  if (!tempo || percent === null) return undefined
  const rounded = Math.round(percent * 10) / 10
  const { sign, unchanged, faster, slower } = MULTIPLES[tempo]
  const amount = `${Math.abs(rounded).toFixed(1)}%`
  const text = rounded === 0 ? '±0%' : `${rounded > 0 ? '+' : '−'}${amount}`
  const meaning = rounded === 0 ? unchanged : format(rounded > 0 ? faster : slower, { amount })
  return { text: sign ? `${sign} ${text}` : text, meaning }
}
