import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../platform/project-root.ts'
import type { KitCue } from './kit-track.ts'
import { type SeratoTrack, seratoComments, seratoEntries } from './serato-tags.ts'

/** What Serato itself wrote, from the published fixtures of Holzhaus/serato-tags (MIT). */
const published = (folder: string, name: string) =>
  readFileSync(path.join(projectRoot, 'server/test/fixtures/serato', folder, `Serato ${name}.octet-stream`))

const cue = (number: number, seconds: number, colour: string, name = ''): KitCue => ({
  kind: 'drop',
  number,
  seconds,
  colour,
  name,
})
const track: SeratoTrack = {
  bpm: 115,
  grid: [{ seconds: 0.304_994_344_711_303_7, bpm: 115, beat: 1 }],
  cues: [],
  timing_case: 'D',
  sample_rate: 44_100,
}
const entryOf = (changes: Partial<SeratoTrack>, name: string) =>
  seratoEntries({ ...track, ...changes }).find((entry) => entry.name === `Serato ${name}`)!.data

const named = [
  cue(0, 0, '#CC0000', 'Hello, World!'),
  cue(1, 218.456, '#CC8800', 'äöüß'),
  cue(2, 60.004, '#0000CC', 'éèê'),
]
const COLOURS = ['#CC0000', '#CC8800', '#0000CC', '#CCCC00', '#00CC00', '#CC00CC', '#00CCCC', '#8800CC']
const coloured = COLOURS.map((colour, number) => cue(number, 0, colour))

/** What is inside the base64 of `Serato Markers2`. */
const contentOf = (markers: Buffer) =>
  Buffer.from(markers.toString('latin1', 2).replace(/\0.*$/s, '').replaceAll('\n', ''), 'base64')

/** The published files are not locked; ours are. */
function unlocked(markers: Buffer): string {
  const content = contentOf(markers)
  const lock = content.lastIndexOf('BPMLOCK')
  content[lock + 'BPMLOCK'.length + 5] = 0
  return content.toString('latin1').replace(/\0+$/, '')
}

describe('Serato reads its own bytes', () => {
  test('in the beat grid', () => {
    const grid = entryOf({}, 'BeatGrid')
    const serato = published('analyzed', 'BeatGrid')
    // The last byte differs from file to file.
    expect(grid.subarray(0, -1)).toEqual(serato.subarray(0, -1))
  })

  test('in markers without cues, except that the grid is locked', () => {
    expect(entryOf({}, 'Markers2')).toHaveLength(published('analyzed', 'Markers2').length)
    expect(unlocked(entryOf({}, 'Markers2'))).toBe(unlocked(published('analyzed', 'Markers2')))
    expect(contentOf(entryOf({}, 'Markers2')).toString('latin1')).toContain('BPMLOCK\0\0\0\0\x01\x01\0')
    expect(entryOf({}, 'Markers_')).toEqual(published('analyzed', 'Markers_'))
  })

  test('in cues with names and colours', () => {
    expect(unlocked(entryOf({ cues: named }, 'Markers2'))).toBe(unlocked(published('hotcues-with-names', 'Markers2')))
    expect(entryOf({ cues: named }, 'Markers_')).toEqual(published('hotcues-with-names', 'Markers_'))
    expect(unlocked(entryOf({ cues: coloured }, 'Markers2'))).toBe(unlocked(published('hotcue-colors', 'Markers2')))
    expect(entryOf({ cues: coloured }, 'Markers_')).toEqual(published('hotcue-colors', 'Markers_'))
  })
})

test('a grid of several tempos has the number of beats to each next one', () => {
  const grid = [
    { seconds: 1, bpm: 120, beat: 1 as const },
    { seconds: 9, bpm: 123, beat: 1 as const },
  ]
  const data = entryOf({ grid }, 'BeatGrid')
  expect(data.readUInt32BE(2)).toBe(2)
  expect([data.readFloatBE(6), data.readUInt32BE(10)]).toEqual([1, 16])
  expect([data.readFloatBE(14), data.readFloatBE(18)]).toEqual([9, 123])
})

test.each([
  ['B', 44_100, 1152 / 44_100],
  ['C', 48_000, 0.024],
  ['A', 44_100, 0],
  ['D', 44_100, 0],
  [null, 44_100, 0],
] as const)('times are later by the info frame that Serato plays: case %s', (timing_case, sample_rate, delay) => {
  const changes = { timing_case, sample_rate, cues: [cue(0, 2, '#CC0000')] }
  expect(entryOf(changes, 'BeatGrid').readFloatBE(6)).toBeCloseTo(track.grid[0]!.seconds + delay, 5)
  const old = entryOf(changes, 'Markers_')
  expect((old[9]! << 7) | old[10]!).toBe(Math.round((2 + delay) * 1000))
})

test('a long name is cut between characters', () => {
  const content = contentOf(entryOf({ cues: [cue(0, 0, '#CC0000', '🔥'.repeat(30))] }, 'Markers2'))
  expect(content.toString('utf8')).toContain(`\0${'🔥'.repeat(12)}\0`)
})

test('nothing is written without a reliable beat', () => {
  expect(seratoEntries({ ...track, bpm: null })).toEqual([])
  expect(seratoEntries({ ...track, grid: [] })).toEqual([])
})

test('a FLAC has the same entries as comments, in lines of 72 characters, without the old markers', () => {
  const lines = seratoComments({ ...track, cues: named })
  const comments: Record<string, string> = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
  expect(Object.keys(comments)).toEqual(['SERATO_AUTOGAIN', 'SERATO_BEATGRID', 'SERATO_MARKERS_V2'])
  for (const [name, value] of Object.entries(comments)) {
    expect(Math.max(...value.split('\n').map((line) => line.length)), name).toBeLessThanOrEqual(72)
    const text = value.replaceAll('\n', '')
    // Readers drop one character that Serato adds when no padding is needed.
    const whole = text.length % 4 === 1 ? text.slice(0, -1) : text
    expect(Buffer.from(whole, 'base64').toString('latin1')).toMatch(/^application\/octet-stream\0\0Serato /)
    expect(text.length % 4, name).not.toBe(0)
  }
})
