import { camelot, parseKey, type SongKey } from './keys.ts'

/** The largest tempo change that still sounds good, as a fraction of the tempo. */
export const MIXABLE_TEMPO_RATIO = 0.06
/** 106 / 100 - 1 is a little more than 0.06. */
const ROUNDING_ERROR = 1e-9

/** How the key of a song relates to that of the song before it. Steps are positions on the Camelot wheel. */
export type KeyRelation =
  | 'same'
  | 'relative'
  | 'step_up'
  | 'step_down'
  | 'two_steps_up'
  | 'two_steps_down'
  | 'semitone_up'
  | 'clash'

const SAME_MODE_RELATIONS: Partial<Record<number, KeyRelation>> = {
  0: 'same',
  1: 'step_up',
  11: 'step_down',
  2: 'two_steps_up',
  10: 'two_steps_down',
  // Each step is a fifth, and seven fifths up are a semitone up (in another octave).
  7: 'semitone_up',
}

export function keyRelation(from: SongKey, to: SongKey): KeyRelation {
  const [before, after] = [camelot(from), camelot(to)]
  const steps = (Number.parseInt(after, 10) - Number.parseInt(before, 10) + 12) % 12
  if (before.at(-1) !== after.at(-1)) return steps === 0 ? 'relative' : 'clash'
  return SAME_MODE_RELATIONS[steps] ?? 'clash'
}

/** The tempos that a song can be mixed into, relative to its own. */
export const TEMPO_MULTIPLES = { same: 1, half: 0.5, double: 2 } as const

export type TempoChange = {
  /** Whether the song is mixed at the tempo of the song before it, or at half or double that tempo. */
  multiple: keyof typeof TEMPO_MULTIPLES
  /** The change on the song's pitch fader, in per cent of its own tempo: -1.6 is slower. */
  percent: number
  /** True if the change is larger than `MIXABLE_TEMPO_RATIO`, upwards or downwards. */
  is_clash: boolean
}

/** The smallest change with which a song that starts at `startBpm` follows one that ends at `endBpm`. */
export function tempoChange(endBpm: number, startBpm: number): TempoChange {
  const ratio = endBpm / startBpm
  const multiple = ratio > Math.SQRT2 ? 'half' : ratio < Math.SQRT1_2 ? 'double' : 'same'
  const change = ratio * TEMPO_MULTIPLES[multiple]
  return {
    multiple,
    percent: (change - 1) * 100,
    is_clash: Math.max(change, 1 / change) - 1 > MIXABLE_TEMPO_RATIO + ROUNDING_ERROR,
  }
}

/** The tempo and key of a version, as in `catalogue.version`. */
export type MixingTempo = { bpm: number | null; bpm_to: number | null; song_key: string | null }

/** How a song follows the song before it; null for what is not known of either. */
export type Transition = { key: KeyRelation | null; tempo: TempoChange | null }

/** From the tempo that one song ends with to the tempo that the next one starts with. */
export function transitionBetween(before: MixingTempo, song: MixingTempo): Transition {
  const [from, to] = [parseKey(before.song_key ?? ''), parseKey(song.song_key ?? '')]
  const [end, start] = [before.bpm_to ?? before.bpm, song.bpm]
  return { key: from && to ? keyRelation(from, to) : null, tempo: end && start ? tempoChange(end, start) : null }
}

/** Whether a transition sounds wrong: the keys clash, or the tempos are too far apart. */
export const isClash = ({ key, tempo }: Transition): boolean => key === 'clash' || (tempo?.is_clash ?? false)
