import type { catalogue } from '@dubplate/contract'
import { formatBpmRange } from '../format/format.ts'

export type Tempo = Pick<catalogue.Song, 'min_bpm' | 'max_bpm' | 'song_key'>

/** The different keys of a song’s versions, that of the song first. */
export function keysOf({ song_key, version }: catalogue.Song): string[] {
  const keys = [song_key, ...version.map((one) => one.song_key)].flatMap((key) => key || [])
  return [...new Set(keys)]
}

/** The tempo and key of a version. Where they are not known, it has those of its song, if that has only one. */
export function tempoOf(song: catalogue.Song, version: catalogue.Version): Tempo {
  // Songs in a queue that was stored by an older version of the app have versions without a tempo.
  const { bpm = null, bpm_to = null, song_key = null } = version
  const ofSong = song.min_bpm === song.max_bpm ? song.min_bpm : null
  const low = bpm ?? ofSong
  return {
    min_bpm: low,
    max_bpm: bpm === null ? low : (bpm_to ?? low),
    song_key: song_key ?? (keysOf(song).length === 1 ? song.song_key : null),
  }
}

/** Whether the versions of a song have different tempos or keys, so that each one’s own are worth showing. */
export const hasDifferentTempos = (song: catalogue.Song): boolean =>
  new Set(
    song.version.map((version) => {
      const { min_bpm, max_bpm, song_key } = tempoOf(song, version)
      return `${formatBpmRange(min_bpm, max_bpm)} ${song_key}`
    }),
  ).size > 1
