import { type catalogue, type KeyRelation, transitionBetween } from '@dubplate/contract'
import { KEY_RELATIONS, tempoChange } from '../../catalogue/mixDescription.ts'
import * as texts from './texts.ts'

/** One of the two comparisons, in short and in words. */
type Comparison = { text: string; meaning: string; fits: boolean }
/** How well a song follows the previous one; a value that one of them lacks is left out. */
export type Transition = { tempo?: Comparison; key?: Comparison }

type Played = Pick<catalogue.Song, 'min_bpm' | 'max_bpm' | 'song_key'>

/** Key relations that aren’t among those of songs that mix well, but don’t clash either. */
const FURTHER_RELATIONS = {
  two_steps_up: { text: '±2', meaning: texts.twoSteps },
  two_steps_down: { text: '±2', meaning: texts.twoSteps },
  semitone_up: { text: '+7', meaning: texts.semitoneUp },
}

const RELATIONS: Record<Exclude<KeyRelation, 'clash'>, Omit<Comparison, 'fits'>> = {
  same: KEY_RELATIONS.same,
  relative: KEY_RELATIONS.relative,
  step_up: KEY_RELATIONS.step,
  step_down: KEY_RELATIONS.step,
  ...FURTHER_RELATIONS,
}

const CLASH: Comparison = { text: texts.clash, meaning: texts.keysClash, fits: false }

const mixingTempo = ({ min_bpm, max_bpm, song_key }: Played) => ({
  bpm: min_bpm ?? max_bpm,
  bpm_to: max_bpm,
  song_key,
})

/** Rates the transition from the previous song by tempo change and key. */
export function transitionTo(song: Played, before: Played): Transition {
  const { tempo, key } = transitionBetween(mixingTempo(before), mixingTempo(song))
  const change = tempo && tempoChange(tempo.multiple, tempo.percent)
  return {
    ...(tempo && change ? { tempo: { ...change, fits: !tempo.is_clash } } : {}),
    ...(key ? { key: key === 'clash' ? CLASH : { ...RELATIONS[key], fits: true } } : {}),
  }
}
