import type { SectionKind } from '@dubplate/contract/song-structure'
import { describe, expect, test } from 'vitest'
import { cuePointsOf } from './cue-points.ts'
import type { Section } from './sections.ts'

/** Sections one after the other: 'intro 16, drop 32'. */
function arrangement(text: string): Section[] {
  let bar = 0
  return text.split(', ').map((part) => {
    const [kind, bars] = part.split(' ')
    const section = { bar, bars: Number(bars), kind: kind as SectionKind, level: 1, has_kick: true }
    bar += section.bars
    return section
  })
}

const cuesOf = (text: string) =>
  cuePointsOf(arrangement(text))
    .map(({ bar, kind }) => `${kind} ${bar}`)
    .join(', ')

describe('cue points', () => {
  test.each([
    [
      'intro 16, main 16, break 16, build 8, drop 32, break 8, drop 16, outro 16',
      'first_beat 0, intro_end 16, mix_in 40, drop 56, break 88, second_drop 96, outro 112',
    ],
    ['main 16, drop 16', 'first_beat 0, drop 16'],
    ['intro 8, drop 16, outro 8', 'first_beat 0, drop 8, outro 24'],
    ['main 64', 'first_beat 0'],
  ])('of %s', (sections, cues) => {
    expect(cuesOf(sections)).toBe(cues)
  })

  test('are at least four bars apart, the more useful one staying', () => {
    expect(cuesOf('intro 2, drop 30')).toBe('first_beat 0')
    expect(cuesOf('intro 20, drop 16, break 2, drop 16')).toBe('first_beat 0, mix_in 4, drop 20, break 36')
  })
})
