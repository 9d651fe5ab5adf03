import { KEYS, type SongKey } from '@dubplate/contract'
import type { CueKind } from '@dubplate/contract/song-structure'

/** The songs of the test pool. Everything that library files and tags are compared with follows from them. */

/** One of the four timing cases of an MP3 (server/src/audio-files/mp3-timing.ts), or a FLAC. */
type Sound = 'A' | 'B' | 'C' | 'D' | 'flac'

/** A tempo from a beat on, until the next change. */
type Tempo = { from_beat: number; bpm: number }

export type Rhythm = {
  /** Of the file's first beat, as our analysis counts: without the encoder's delay. */
  first_beat_seconds: number
  /** Where the first beat is in its bar; 1 is the downbeat. */
  beat_of_bar: 1 | 2 | 3 | 4
  /** The first from beat 0 on. */
  tempos: [Tempo, ...Tempo[]]
}

export type KitSong = {
  /** A part of the imported file's name, and the ISRC's last digits. */
  number: number
  sound: Sound
  sample_rate: 44_100 | 48_000
  title: string
  artist: string
  version_label: string
  remixer: string
  album: string
  label: string
  genres: string[]
  isrc: string
  year: number | null
  bpm: number
  song_key: SongKey
  camelot: string
  /** 1 to 10. */
  energy: number
  rhythm: Rhythm
  /** In order of time. */
  cues: { kind: CueKind; seconds: number }[]
}

export const SONG_SECONDS = 12
export const ADDED_AT = '2026-11-20T10:00:00Z'

/** Of the keys in the contract's order. */
const CAMELOT = '8B 3B 10B 5B 12B 7B 2B 9B 4B 11B 6B 1B 5A 12A 7A 2A 9A 4A 11A 6A 1A 8A 3A 10A'.split(' ')

const HARD_NAMES: readonly [artist: string, title: string][] = [
  ["A 'B' & C’s", 'Rock & Roll <Again>'],
  ['Percent % Sign', '100% #1 (50%20)'],
  ['Emoji 😀', '🔥🕺🏽 Fire 👩‍👩‍👧'],
  ['Хор Ё Й', 'Подмосковные вечера'],
  ['東京 ガギグ', 'さくら（日本）'],
  ['Ångström'.normalize('NFD'), 'Café Déjà vu'.normalize('NFD')],
  ['Long Name', 'L'.repeat(240)],
  ['Долго', 'Ж'.repeat(240)],
  ['Punctuation', "!'()*;:@&=+$,/?[] {}^`~"],
  ['aux', 'CON'],
  ['#Artist', '#hash first'],
  ['++plus++ and space', '%%double%%percent'],
  ['RTL mix', 'שלום عليكم'],
  ['<![CDATA[x]]>', '&amp; &#38; already'],
  ['Pipe | Slash / Back \\ Colon :', 'semi;colon, "comma"'],
  ['K Kelvin', 'ﬁ ligature ① ²'],
  ['ẹ́'.normalize('NFC'), 'e\u0301\u0323 stacked'],
  ['../..', '...dots...'],
]

const VERSIONS = ['Clean', 'Dirty', 'Intro Clean', 'Instrumental', 'Quick Hit']
export const GENRES = ['House', 'Hip-Hop & R&B', 'Afro / Latin']
const ALBUMS = ['', 'Album & Co', 'Ålbum']
const LABELS = ['', 'Lábel', "L & M's"]

const cycle = <T>(values: readonly T[], n: number): T => values[n % values.length]!

/** Hard names first, each in an MP3 and in another file; everything else varies with the position. */
export const makeSongs = (count: number): KitSong[] => Array.from({ length: count }, (_, n) => makeSong(n))

function makeSong(n: number): KitSong {
  const [artist, title] = n < HARD_NAMES.length * 2 ? cycle(HARD_NAMES, n) : [`Artist ${n % 37}`, `Song ${n}`]
  const sound = n % 10 === 9 ? 'flac' : cycle(['A', 'B', 'C', 'D'] as const, n)
  const rhythm = makeRhythm(n)
  return {
    number: n,
    sound,
    sample_rate: n % 8 < 4 ? 44_100 : 48_000,
    title,
    artist,
    version_label: cycle(VERSIONS, n),
    remixer: n % 4 === 0 ? 'DJ Ремикс' : '',
    album: cycle(ALBUMS, n),
    label: cycle(LABELS, n),
    genres: n % 7 === 3 && sound !== 'flac' ? [cycle(GENRES, n), cycle(GENRES, n + 1)].sort() : [cycle(GENRES, n)],
    isrc: `GBXYZ26${String(n).padStart(5, '0')}`,
    year: n % 7 === 5 ? null : 1990 + (n % 36),
    bpm: rhythm.tempos[0].bpm,
    song_key: cycle(KEYS, n),
    camelot: cycle(CAMELOT, n),
    energy: 1 + (n % 10),
    rhythm,
    cues: makeCues(n, rhythm),
  }
}

/** Every seventh changes its tempo, every second of them twice. Those begin anywhere in a bar. */
function makeRhythm(n: number): Rhythm {
  const bpm = Number((70 + ((n * 7.31) % 110)).toFixed(2))
  const changes = [...(n % 7 === 3 ? [{ from_beat: 8, bpm: bpm + 1.5 }] : [])]
  if (n % 14 === 3) changes.push({ from_beat: 11, bpm: bpm - 2 })
  return {
    first_beat_seconds: Number((0.03 + ((n * 0.0137) % 0.28)).toFixed(6)),
    beat_of_bar: changes.length > 0 ? cycle([1, 2, 3, 4] as const, Math.floor(n / 7)) : 1,
    tempos: [{ from_beat: 0, bpm }, ...changes],
  }
}

/** In half beats of the first tempo. Every ninth version has one cue more than DJ programs have buttons. */
const FEW_CUES: readonly [CueKind, halfBeats: number][] = [
  ['first_beat', 0],
  ['mix_in', 4],
  ['drop', 9],
  ['break', 14],
]
const MANY_CUES: readonly [CueKind, halfBeats: number][] = [
  ...FEW_CUES,
  ['intro_end', 15],
  ['second_drop', 17],
  ['drop', 18],
  ['outro', 19],
  ['break', 20],
]

const makeCues = (n: number, { first_beat_seconds, tempos }: Rhythm): KitSong['cues'] =>
  (n % 9 === 0 ? MANY_CUES : FEW_CUES).map(([kind, halfBeats]) => ({
    kind,
    seconds: Number((first_beat_seconds + (halfBeats * 30) / tempos[0].bpm).toFixed(3)),
  }))

/** Seconds from the first beat to another one. */
export const secondsOfBeat = (tempos: Rhythm['tempos'], beat: number): number =>
  tempos.reduce((seconds, { from_beat, bpm }, n) => {
    const until = Math.min(beat, tempos[n + 1]?.from_beat ?? beat)
    return seconds + (Math.max(0, until - from_beat) * 60) / bpm
  }, 0)
