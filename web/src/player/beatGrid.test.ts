import type { player } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { beatsBetween, sectionAt } from './beatGrid.ts'

const GRID: player.BeatGrid = {
  ...{ bpm: 120, first_downbeat_seconds: 1.1, first_beat_seconds: 0.1, tempo_changes: [], cues: [], energy: 6 },
  sections: [
    { bar: 0, bars: 8, kind: 'intro', start_seconds: 1.1, has_kick: true },
    { bar: 8, bars: 16, kind: 'drop', start_seconds: 17.1, has_kick: true },
  ],
}

/** '1.1!' for a downbeat. */
const shown = (grid: player.BeatGrid, from: number, to: number) =>
  beatsBetween(grid, from, to).map(({ at_seconds, isDownbeat }) => `${at_seconds.toFixed(2)}${isDownbeat ? '!' : ''}`)

describe('beats of a song', () => {
  test('begin before the first downbeat, and every fourth from there is one', () => {
    expect(shown(GRID, 0, 3.5)).toEqual(['0.10', '0.60', '1.10!', '1.60', '2.10', '2.60', '3.10!'])
  })

  test('of a part begin with the first one inside', () => {
    expect(shown(GRID, 60.2, 61.5)).toEqual(['60.60', '61.10!'])
    expect(shown(GRID, -4, 0.5)).toEqual(['0.10'])
  })

  test('have no downbeats where the bars are uncertain', () => {
    expect(shown({ ...GRID, first_downbeat_seconds: null }, 0, 2)).toEqual(['0.10', '0.60', '1.10', '1.60'])
  })

  test('follow a tempo that changes', () => {
    const tempo_changes = [
      { beat: 0, at_seconds: 0.1, bpm: 120 },
      { beat: 4, at_seconds: 2.1, bpm: 60 },
    ]
    expect(shown({ ...GRID, first_downbeat_seconds: 0.1, tempo_changes }, 0, 6.5)).toEqual([
      ...['0.10!', '0.60', '1.10', '1.60', '2.10!', '3.10', '4.10', '5.10', '6.10!'],
    ])
  })

  test('are in the section that began last', () => {
    expect([0.5, 1.1, 17, 18].map((at) => sectionAt(GRID, at)?.kind)).toEqual([undefined, 'intro', 'intro', 'drop'])
  })
})
