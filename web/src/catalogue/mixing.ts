import type { catalogue } from '@dubplate/contract'
import { camelot, mixesWith, openKey, parseKey, type SongKey } from '@dubplate/contract'
import type { Notation } from '../platform/preferences.ts'

const musical = (key: SongKey) => key.replace('b', '♭').replace('#', '♯')

const WRITTEN: Record<Notation, (key: SongKey) => string> = { camelot, musical, open: openKey }

/** A key as this person reads it: '8A', 'Am' or '1m'. */
export const writeKey = (key: SongKey, notation: Notation) => WRITTEN[notation](key)

/** All three ways to write a key, for its tooltip. */
export const everyNotation = (key: SongKey) => `${musical(key)} · ${camelot(key)} · ${openKey(key)}`

/** Position on the Camelot wheel as a hue in degrees (OKLCH): 1 is teal, 4 yellow, 8 magenta. */
export const keyHue = (key: SongKey) => (210 - 30 * Number.parseInt(camelot(key), 10) + 360) % 360

/** How far a pitch fader goes without the song suffering. */
const TEMPO_REACH = 0.06

type Tempo = Pick<catalogue.Song, 'min_bpm' | 'max_bpm'>

/** True when a song can be brought to the tempo the playing song ends in, also at half and double time. */
export function tempoMatches(playing: Tempo, song: Tempo): boolean {
  const [from, to] = [playing.max_bpm ?? playing.min_bpm, song.min_bpm ?? song.max_bpm]
  if (!from || !to) return false
  return [from, from / 2, from * 2].some((bpm) => Math.abs(to - bpm) / bpm <= TEMPO_REACH)
}

/** True when a song is in harmony with the playing one: the same key, a step round the wheel, or the relative. */
export function keyMatches(playing: catalogue.Song, song: catalogue.Song): boolean {
  const [a, b] = [parseKey(playing.song_key ?? ''), parseKey(song.song_key ?? '')]
  return !!a && !!b && mixesWith(a, b)
}
