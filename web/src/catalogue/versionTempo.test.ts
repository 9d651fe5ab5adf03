import { describe, expect, test } from 'vitest'
import { makeSong, makeVersion } from '../../test/samples.ts'
import { hasDifferentTempos, keysOf, tempoOf } from './versionTempo.ts'

const songWith = (song: Parameters<typeof makeSong>[0], ...versions: Parameters<typeof makeVersion>[0][]) => {
  const made = makeSong({ ...song, version: versions.map((version) => makeVersion(version)) })
  return { song: made, tempos: made.version.map((version) => tempoOf(made, version)) }
}

describe('the tempo and key of a version', () => {
  test('are its own', () => {
    const { song, tempos } = songWith(
      { min_bpm: 100, max_bpm: 128, song_key: 'C' },
      { bpm: 100, song_key: 'C' },
      { bpm: 100, bpm_to: 128, song_key: 'Em' },
    )
    expect(tempos).toEqual([
      { min_bpm: 100, max_bpm: 100, song_key: 'C' },
      { min_bpm: 100, max_bpm: 128, song_key: 'Em' },
    ])
    expect(keysOf(song)).toEqual(['C', 'Em'])
    expect(hasDifferentTempos(song)).toBe(true)
  })

  test('are those of its song if they are not known and the song has only one', () => {
    const { song, tempos } = songWith({ min_bpm: 128, max_bpm: 128, song_key: 'C' }, { bpm: 128, song_key: 'C' }, {})
    expect(tempos[1]).toEqual({ min_bpm: 128, max_bpm: 128, song_key: 'C' })
    expect(hasDifferentTempos(song)).toBe(false)
  })

  test('are not known if the song has several', () => {
    const { tempos } = songWith(
      { min_bpm: 100, max_bpm: 128, song_key: 'C' },
      { bpm: 100, song_key: 'C' },
      { bpm: 128, song_key: 'Em' },
      {},
    )
    expect(tempos[2]).toEqual({ min_bpm: null, max_bpm: null, song_key: null })
  })

  test('do not differ by less than what is shown', () => {
    expect(hasDifferentTempos(songWith({}, { bpm: 127.98 }, { bpm: 128.01 }).song)).toBe(false)
  })
})
