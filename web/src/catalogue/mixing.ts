import { camelot, mixesWith, openKey, parseKey, type SongKey, tempoChange } from '@dubplate/contract'
import type { Notation } from '../platform/preferences.ts'
import type { Tempo } from './versionTempo.ts'

const musical = (key: SongKey) => key.replace('b', '♭').replace('#', '♯')

const KEY_FORMATTERS: Record<Notation, (key: SongKey) => string> = { camelot, musical, open: openKey }

/** A key in the user's notation: '8A', 'Am' or '1m'. */
export const formatKey = (key: SongKey, notation: Notation) => KEY_FORMATTERS[notation](key)

/** A key in all three notations, for its tooltip. */
export const inEveryNotation = (key: SongKey) => `${musical(key)} · ${camelot(key)} · ${openKey(key)}`

/** Position on the Camelot wheel as a hue in degrees (OKLCH): 1 is teal, 4 yellow, 8 magenta. */
export const keyHue = (key: SongKey) => (210 - 30 * Number.parseInt(camelot(key), 10) + 360) % 360

/**
 * The change on a song's pitch fader, in per cent, for the tempo the playing song ends in, also at half or double time;
 * undefined when it is out of range or a tempo is not known.
 */
function pitchChange(playing: Tempo, song: Tempo): number | undefined {
  const [from, to] = [playing.max_bpm ?? playing.min_bpm, song.min_bpm ?? song.max_bpm]
  if (!from || !to) return undefined
  const { percent, is_clash } = tempoChange(from, to)
  return is_clash ? undefined : Math.round(percent * 10) / 10
}

/** The same key, one step on the wheel, or the relative key. */
function keyMatches(playing: Tempo, song: Tempo): boolean {
  const [a, b] = [parseKey(playing.song_key ?? ''), parseKey(song.song_key ?? '')]
  return !!a && !!b && mixesWith(a, b)
}

/** The pitch change for a song that fits the playing one in key and tempo; undefined for every other song. */
export const fittingPitch = (playing: Tempo, song: Tempo): number | undefined =>
  keyMatches(playing, song) ? pitchChange(playing, song) : undefined

/** '−3.1 %', with a minus sign. */
export const formatPitch = (percent: number): string =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`
