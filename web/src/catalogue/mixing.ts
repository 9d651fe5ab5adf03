import { camelot, catalogue, mixesWith, openKey, parseKey, type SongKey } from '@dubplate/contract'
import type { Notation } from '../platform/preferences.ts'

const musical = (key: SongKey) => key.replace('b', '♭').replace('#', '♯')

const KEY_FORMATTERS: Record<Notation, (key: SongKey) => string> = { camelot, musical, open: openKey }

/** A key in the user's notation: '8A', 'Am' or '1m'. */
export const formatKey = (key: SongKey, notation: Notation) => KEY_FORMATTERS[notation](key)

/** A key in all three notations, for its tooltip. */
export const inEveryNotation = (key: SongKey) => `${musical(key)} · ${camelot(key)} · ${openKey(key)}`

/** Position on the Camelot wheel as a hue in degrees (OKLCH): 1 is teal, 4 yellow, 8 magenta. */
export const keyHue = (key: SongKey) => (210 - 30 * Number.parseInt(camelot(key), 10) + 360) % 360

type Tempo = Pick<catalogue.Song, 'min_bpm' | 'max_bpm'>

/** True when a song can be pitched to the tempo the playing song ends in, also at half or double time. */
export function tempoMatches(playing: Tempo, song: Tempo): boolean {
  const [from, to] = [playing.max_bpm ?? playing.min_bpm, song.min_bpm ?? song.max_bpm]
  if (!from || !to) return false
  return [from, from / 2, from * 2].some((bpm) => Math.abs(to - bpm) / bpm <= catalogue.MIXABLE_TEMPO_RATIO)
}

/**
 * True when a song's key is compatible with the playing one: the same key, one step on the wheel, or the relative key.
 */
export function keyMatches(playing: catalogue.Song, song: catalogue.Song): boolean {
  const [a, b] = [parseKey(playing.song_key ?? ''), parseKey(song.song_key ?? '')]
  return !!a && !!b && mixesWith(a, b)
}
