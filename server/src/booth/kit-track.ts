import type { FilePath, SongKey } from '@dubplate/contract'
import type { CueKind } from '@dubplate/contract/song-structure'
import type { AudioFormat } from '../audio-files/faults.ts'
import type { TimingCase } from '../audio-files/mp3-timing.ts'

/** From here on, beats follow each other at this tempo. */
export type GridAnchor = {
  seconds: number
  bpm: number
  /** Of the bar: 1 is the downbeat. */
  beat: 1 | 2 | 3 | 4
}

/** A hot cue. `number` is its button, 0 to 7. */
export type KitCue = { seconds: number; kind: CueKind; name: string; number: number; colour: string }

/**
 * A version in a booth kit, with everything that library files say about it. Times count from the first sample of the
 * first audio frame, with the encoder's delay, as rekordbox counts them.
 */
export type KitTrack = {
  path: FilePath
  format: AudioFormat
  artist: string
  /** With the version: 'Night Bus (Intro)'. */
  title: string
  version_label: string
  remixer: string
  album: string
  genre: string
  label: string
  comment: string
  year: number | null
  bpm: number | null
  song_key: SongKey | null
  /** In the notation of the member's profile; '' without a key. */
  key_text: string
  /** 0 to 5 stars. */
  rating: number
  /** '#RRGGBB', one of rekordbox's eight; null without one. */
  colour: string | null
  /** The length of the file with its tags; null while it is unknown. */
  bytes: number | null
  duration_seconds: number
  /** Bits per second. */
  bit_rate: number
  sample_rate: number
  added_at: Date
  /** In order of time; empty when the beats are uncertain. */
  grid: GridAnchor[]
  cues: KitCue[]
  /** Of an MP3. */
  timing_case: TimingCase | null
}

const BEATS_PER_BAR = 4

/** The first downbeat at or after an anchor, in seconds. */
export const downbeatOf = ({ seconds, bpm, beat }: GridAnchor): number =>
  seconds + (((BEATS_PER_BAR + 1 - beat) % BEATS_PER_BAR) * 60) / bpm

/** A playlist of a kit; `tracks` are positions in the list of its tracks. */
export type KitPlaylist = { name: string; tracks: number[] }

/** The length of an MPEG-1 frame in samples, which is what the info frame of an MP3 adds when it is played. */
const FRAME_SAMPLES = 1152

/**
 * Seconds by which Traktor and Serato count later than rekordbox: they play the info frame of cases B and C. The rule is
 * pestrela.github.io/dj_kb's, "26 ms"; for Serato it is inferred from how Mixxx reads Serato's tags.
 */
export const infoFrameSeconds = ({
  timing_case,
  sample_rate,
}: Pick<KitTrack, 'timing_case' | 'sample_rate'>): number =>
  timing_case === 'B' || timing_case === 'C' ? FRAME_SAMPLES / sample_rate : 0
