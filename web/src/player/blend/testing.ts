import { player } from '@dubplate/contract'
import { fakeApi } from '../../../test/fakeApi.ts'
import { makeSong } from '../../../test/samples.ts'
import type { Entry } from '../queue.ts'

/** Helpers of component tests of blends: songs whose previews are a tone on each beat (web/test/beatMedia.ts). */

export type Beats = {
  /** The second of the first beat. */
  first: number
  tempos: { bpm: number; beats: number }[]
  preview_start_seconds?: number
}

export const steady = (bpm: number, first: number): Beats => ({ first, tempos: [{ bpm, beats: 400 }] })

const grids = new Map<number, player.BeatGrid>()

/** Replies with the grids of `makeBeatSong`, and with none for other versions. */
export function fakeGrids() {
  grids.clear()
  fakeApi.reply(player.getBeatGrid, ({ song_version_id }) => ({ grid: grids.get(Number(song_version_id)) ?? null }))
}

export function makeBeatSong(
  hertz: number,
  { first, tempos, preview_start_seconds = 0 }: Beats,
  title?: string,
): Entry {
  const song = makeSong(title ? { title } : {})
  const tempoNames = tempos.map(({ bpm, beats }) => `${bpm}x${beats}`).join('_')
  const mp3 = `/previews/beats_${hertz}_${first}_${tempoNames}.mp3`
  const version = { ...song.version[0]!, mp3, duration_seconds: 75, preview_start_seconds, loudness_lufs: -9 }
  let [beat, at_seconds] = [0, first]
  const tempo_changes = tempos.map(({ bpm, beats }) => {
    const change = { beat, at_seconds, bpm }
    beat += beats
    at_seconds += (beats * 60) / bpm
    return change
  })
  grids.set(version.song_version_id, {
    ...{ bpm: tempos[0]!.bpm, first_beat_seconds: first, first_downbeat_seconds: first },
    ...{ sections: [], cues: [], energy: null, tempo_changes: tempos.length > 1 ? tempo_changes : [] },
  })
  return { song: { ...song, version: [version] }, version }
}
