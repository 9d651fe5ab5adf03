import { describe, expect, test } from 'vitest'
import { demoStructure } from './demo-structure.ts'

const SONG = {
  seed: 5,
  genre: 'house',
  tonic: 0,
  mode: 'minor',
  bpm: 120,
  version: 'Intro Clean',
  seconds: 64,
} as const

describe('the structure of a demo song', () => {
  test('has the sections of its arrangement, an intro first', () => {
    const { grid, sections, cues } = demoStructure(SONG).structure
    expect(grid).toMatchObject({ bpm: 120, first_downbeat_seconds: 0, tempo_changes: [] })
    expect(sections[0]).toMatchObject({ bar: 0, kind: 'intro', start_seconds: 0 })
    expect(sections.map(({ bar }) => bar)).toEqual(sections.map(({ start_seconds }) => start_seconds / 2))
    expect(sections.map(({ bar, bars }) => bar + bars)).toEqual([...sections.slice(1).map(({ bar }) => bar), 32])
    expect(cues[0]).toEqual({ bar: 0, kind: 'first_beat', at_seconds: 0 })
  })

  test('follows the tempo of a transition', () => {
    const { tempo_changes } = demoStructure({ ...SONG, version: 'Transition', bpm_to: 128 }).structure.grid
    expect(tempo_changes[0]).toEqual({ beat: 0, at_seconds: 0, bpm: 120 })
    expect(tempo_changes.at(-1)!.bpm).toBeCloseTo(128, 0)
    expect(tempo_changes.length).toBeGreaterThan(3)
  })
})
