import { camelot, catalogue, mixesWith, parseKey } from '@dubplate/contract'
import { KEY_RELATIONS, tempoChange } from '../../catalogue/mixDescription.ts'
import * as texts from './texts.ts'

/** One of the two comparisons, in short and in words. */
type Comparison = { text: string; meaning: string; fits: boolean }
/** How well a song follows the previous one; a value that one of them lacks is left out. */
export type Transition = { tempo?: Comparison; key?: Comparison }

type Played = Pick<catalogue.Song, 'min_bpm' | 'max_bpm' | 'song_key'>

/** Rates the transition from the previous song by tempo change and key. */
export function transitionTo(song: Played, before: Played): Transition {
  const [tempo, key] = [tempoStep(before, song), keyStep(before, song)]
  return { ...(tempo ? { tempo } : {}), ...(key ? { key } : {}) }
}

const PARTS = { same: 1, half: 0.5, double: 2 } as const

/**
 * From the final tempo of one song to the first tempo of the next, using the nearest of normal, half and double time.
 */
function tempoStep(before: Played, song: Played): Comparison | undefined {
  const [end, start] = [before.max_bpm ?? before.min_bpm, song.min_bpm ?? song.max_bpm]
  if (!end || !start) return undefined
  const changes = (Object.keys(PARTS) as (keyof typeof PARTS)[]).map((part) => {
    const wanted = end * PARTS[part]
    return {
      part,
      change: wanted / start - 1,
      reach: Math.max(Math.abs(wanted / start - 1), Math.abs(start / wanted - 1)),
    }
  })
  const { part, change, reach } = changes.find((one) => one.reach <= catalogue.MIXABLE_TEMPO_RATIO) ?? changes[0]!
  const description = tempoChange(part, Math.round(change * 1000) / 10)
  return description && { ...description, fits: reach <= catalogue.MIXABLE_TEMPO_RATIO }
}

function keyStep(before: Played, song: Played): Comparison | undefined {
  const [from, to] = [parseKey(before.song_key ?? ''), parseKey(song.song_key ?? '')]
  if (!from || !to) return undefined
  if (!mixesWith(from, to)) return { text: texts.clash, meaning: texts.keysClash, fits: false }
  const isRelative = Number.parseInt(camelot(from), 10) === Number.parseInt(camelot(to), 10)
  return { ...KEY_RELATIONS[from === to ? 'same' : isRelative ? 'relative' : 'step'], fits: true }
}
