import { expect, test } from 'vitest'
import { type QualityFacts, sealOf } from './quality-seal.ts'

const flac: QualityFacts = {
  ...{ format: 'flac', analyser_version: 4, bitrate_kbps: 900, sample_rate: 44_100, bit_depth: 16, faults: [] },
}
const upscaled = { code: 'upscaled', message: 'No frequencies above 16 kHz.' }
const clipped = { code: 'clipped', message: 'Clipping.', at_seconds: 61.4 }

test('a lossless file without warnings is checked and lossless', () => {
  expect(sealOf(flac)).toEqual({
    ...{ state: 'checked', format: 'flac', is_lossless: true, bitrate_kbps: 900, sample_rate: 44_100, bit_depth: 16 },
    warnings: [],
  })
})

test.each([
  ['mp3', null, false],
  ['wav', 24, true],
  ['aiff', 16, true],
  ['m4a', 24, true],
  ['m4a', null, false],
  ['ogg', null, false],
  ['opus', null, false],
] as const)('%s with %s bits: lossless is %s', (format, bit_depth, isLossless) => {
  expect(sealOf({ ...flac, format, bit_depth }).is_lossless).toBe(isLossless)
})

test('a file without an analysis, or generated without one, is not checked', () => {
  const missing = {
    ...flac,
    analyser_version: null,
    bitrate_kbps: null,
    sample_rate: null,
    bit_depth: null,
    faults: null,
  }
  expect(sealOf(missing)).toMatchObject({ state: 'not_checked', bitrate_kbps: 0, sample_rate: 0, warnings: [] })
  expect(sealOf({ ...flac, analyser_version: 0, faults: [upscaled] })).toMatchObject({
    state: 'not_checked',
    warnings: [],
  })
})

test.each([
  ['reencoded', [clipped, upscaled]],
  ['clipped', [{ code: 'silent_part', message: '' }, clipped]],
  [
    'silent',
    [
      { code: 'checksum_altered', message: '' },
      { code: 'silent_part', message: '' },
    ],
  ],
  ['warning', [{ code: 'checksum_altered', message: '' }]],
] as const)('%s is the state of the most important warning', (state, faults) => {
  expect(sealOf({ ...flac, faults: [...faults] }).state).toBe(state)
})

test('lists all warnings with their position in whole seconds', () => {
  expect(sealOf({ ...flac, faults: [clipped, upscaled] }).warnings).toEqual([{ ...clipped, at_seconds: 61 }, upscaled])
})

test('a file that can’t be published is damaged, whatever else was found: its sound was not checked', () => {
  const truncated = { code: 'truncated', message: 'The file is cut off.', at_seconds: 38 }
  for (const faults of [[truncated], [{ code: 'checksum_altered', message: '' }, truncated]])
    expect(sealOf({ ...flac, faults })).toMatchObject({ state: 'damaged', warnings: faults })
})
