import type { CueKind } from '@dubplate/contract/song-structure'
import type { KitFiles, KitKind, KitProfile } from './pool.ts'
import { type KitSong, secondsOfBeat } from './songs.ts'

/** What library files must contain, calculated from the songs and without the code that writes the files. */

/** The kits of one profile, unpacked in a member's home folder. */
export type Kit = {
  profile: KitProfile
  home: string
  /** The folder of the music, `Music` in the home folder. */
  musicFolder: string
  /** In the order of the playlist. */
  songs: readonly KitSong[]
  /** Absolute paths of the files, in the same order. */
  paths: readonly string[]
  files: Record<KitKind, KitFiles>
}

export type ExpectedAnchor = { seconds: number; bpm: number; beat: number }
export type ExpectedCue = { seconds: number; name: string; colour: string; number: number }

/** Encoders write this many samples before the music: LAME's delay and that of decoders. Case A does not say so. */
const ENCODER_SAMPLES = 576 + 529
const FRAME_SAMPLES = 1152

/** Seconds that rekordbox plays before what our analysis calls the beginning. */
const encoderDelay = ({ sound, sample_rate }: KitSong) =>
  sound === 'A' || sound === 'flac' ? 0 : ENCODER_SAMPLES / sample_rate

/** Seconds that Traktor and Serato play before rekordbox's beginning. */
export const infoFrame = ({ sound, sample_rate }: KitSong) =>
  sound === 'B' || sound === 'C' ? FRAME_SAMPLES / sample_rate : 0

/** The grid as rekordbox counts it. */
export function gridOf(song: KitSong): ExpectedAnchor[] {
  const { first_beat_seconds, beat_of_bar, tempos } = song.rhythm
  return tempos.map(({ from_beat, bpm }) => ({
    seconds: first_beat_seconds + secondsOfBeat(tempos, from_beat) + encoderDelay(song),
    bpm,
    beat: ((beat_of_bar - 1 + from_beat) % 4) + 1,
  }))
}

/** The first downbeat as rekordbox counts it. */
export const firstDownbeat = (song: KitSong): number =>
  song.rhythm.first_beat_seconds +
  secondsOfBeat(song.rhythm.tempos, (5 - song.rhythm.beat_of_bar) % 4) +
  encoderDelay(song)

const CUES: Record<CueKind, [name: string, colour: string]> = {
  first_beat: ['First beat', '#28E214'],
  mix_in: ['Mix in', '#00E0FF'],
  intro_end: ['End of intro', '#305AFF'],
  drop: ['Drop', '#E62828'],
  break: ['Break', '#B432FF'],
  second_drop: ['Second drop', '#E0641B'],
  outro: ['Outro', '#FFB400'],
}

/** The first eight cues as rekordbox counts them. */
export const cuesOf = (song: KitSong): ExpectedCue[] =>
  song.cues.slice(0, 8).map(({ kind, seconds }, number) => {
    const [name, colour] = CUES[kind]
    return { seconds: seconds + encoderDelay(song), name, colour, number }
  })

/** By energy, from 1 on: rekordbox's colours and stars. */
const COLOURS = ['0000FF', '0000FF', '25FDE9', '25FDE9', '00FF00', '00FF00', 'FFFF00', 'FFA500', 'FF0000', 'FF0000']
const STARS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]

export const colourOf = ({ energy }: KitSong) => COLOURS[energy - 1]!
export const starsOf = ({ energy }: KitSong) => STARS[energy - 1]!

export const titleOf = ({ title, version_label }: KitSong) => `${title} (${version_label})`
export const genreOf = ({ genres }: KitSong) => genres.join('; ')
export const commentOf = ({ camelot, energy }: KitSong) => `${camelot} - Energy ${energy} & <more>`
export const keyOf = ({ song_key, camelot }: KitSong, { key_notation }: KitProfile) =>
  key_notation === 'camelot' ? camelot : song_key

/** 0 to 11 from C on, and 12 to 23 for minor keys: 'E♭', 'F♯/G♭' and 'D#m' in any spelling. */
export function keyNumber(text: string): number {
  const [, letter = '', sign, minor] = /^([A-G])([#♯b♭]?)(m?)/.exec(text) ?? []
  const natural = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }[letter] ?? Number.NaN
  const shift = !sign ? 0 : /[#♯]/.test(sign) ? 1 : -1
  return ((natural + shift + 12) % 12) + (minor ? 12 : 0)
}

/** The path of a file within the music folder. */
export const relativePath = ({ musicFolder }: Kit, path: string) => path.slice(musicFolder.length + 1)

/** The length of a file in the kit of a program, in bytes. */
export const bytesOf = (kit: Kit, kind: KitKind, n: number): number =>
  kit.files[kind].get(relativePath(kit, kit.paths[n]!))?.length ?? Number.NaN

/** The file of a kit whose name matches, as text. */
export function textFile({ files }: Kit, kind: KitKind, name: RegExp): string {
  const found = [...files[kind]].filter(([each]) => name.test(each))
  if (found.length !== 1) throw new Error(`The kit for ${kind} has ${found.length} files named ${name}.`)
  return found[0]![1].toString('utf8')
}
