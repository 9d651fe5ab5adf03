import { describe, expect, test } from 'vitest'
import { fc } from '../../test/properties.ts'
import type { Source } from './additions.ts'
import {
  deriveSong,
  type Measured,
  resolveVersions,
  type SongTempo,
  type TempoVersion,
  withSongBpm,
  withSongKey,
} from './version-tempo.ts'

type Version = TempoVersion & { tag_bpm: number | null; tag_key: string | null }

let lastId = 0
const measure = (bpm: number | null, bpm_confidence = 0.9, song_key: string | null = 'Am', key_confidence = 0.9) => ({
  ...{ bpm, bpm_confidence, song_key, key_confidence },
})

const makeVersion = (measured: Measured | null, more: Partial<Version> = {}): Version => ({
  ...{ song_version_id: ++lastId, version_label: 'Clean', status: 'published', duration_seconds: 200 },
  ...{ bpm: null, bpm_to: null, bpm_source: null, bpm_confidence: null },
  ...{ song_key: null, key_source: null, key_confidence: null, measured, tag_bpm: null, tag_key: null },
  ...more,
})

const EMPTY: SongTempo = { min_bpm: null, max_bpm: null, bpm_source: null, song_key: null, key_source: null }
const songOf = (versions: readonly Version[], current = EMPTY) => deriveSong(resolveVersions(versions), current)

const bpmsOf = (versions: readonly Version[]) => resolveVersions(versions).map(({ bpm }) => bpm)
const keysOf = (versions: readonly Version[]) => resolveVersions(versions).map(({ song_key }) => song_key)

describe('the tempo of a version', () => {
  test('is the measured one of its own file', () => {
    expect(bpmsOf([makeVersion(measure(100)), makeVersion(measure(128.02))])).toEqual([100, 128.02])
  })

  test.each(['tag', 'name', 'uploader', 'staff'] as const)('from “%s” is not replaced by an analysis', (bpm_source) => {
    const [version] = resolveVersions([makeVersion(measure(128), { bpm: 97, bpm_source })])
    expect(version).toMatchObject({ bpm: 97, bpm_source, bpm_confidence: null })
  })

  test('cleared by staff stays empty', () => {
    expect(bpmsOf([makeVersion(measure(128), { bpm_source: 'staff' })])).toEqual([null])
  })

  test('is brought to the octave of the most confident version', () => {
    const versions = [makeVersion(measure(64.1, 0.4)), makeVersion(measure(128, 0.9)), makeVersion(measure(255.9, 0.3))]
    expect(bpmsOf(versions)).toEqual([128.2, 128, 127.95])
    expect(resolveVersions(versions)[0]?.bpm_confidence).toBe(0.9)
  })

  test('is compared with every version, also if others have another tempo', () => {
    expect(bpmsOf([makeVersion(measure(100, 0.95)), makeVersion(measure(64, 0.7)), makeVersion(measure(128))])).toEqual(
      [100, 128, 128],
    )
    const tagged = makeVersion(measure(64), { bpm: 64, bpm_source: 'tag' })
    expect(bpmsOf([makeVersion(measure(64, 0.3)), makeVersion(measure(128)), tagged])).toEqual([64, 64, 64])
  })

  test('is brought to the octave of a tag, which is trusted more', () => {
    expect(
      bpmsOf([makeVersion(measure(128), { bpm: 64, bpm_source: 'tag' }), makeVersion(measure(128, 0.99))]),
    ).toEqual([64, 64])
  })

  test('does not follow what staff set for another version', () => {
    expect(bpmsOf([makeVersion(measure(128), { bpm: 64, bpm_source: 'staff' }), makeVersion(measure(128))])).toEqual([
      64, 128,
    ])
  })

  test('does not follow an acapella', () => {
    const acapella = makeVersion(measure(64, 0.95), { version_label: 'Acapella' })
    expect(bpmsOf([acapella, makeVersion(measure(128, 0.8))])).toEqual([128, 128])
  })

  test.each([
    [100, 128],
    [64, 130],
    [85, 128],
  ])('of %d stays different from one of %d', (one, other) => {
    expect(bpmsOf([makeVersion(measure(one, 0.6)), makeVersion(measure(other))])).toEqual([one, other])
  })

  test('of a short file is uncertain', () => {
    expect(resolveVersions([makeVersion(measure(128), { duration_seconds: 12 })])[0]).toMatchObject({
      bpm_confidence: 0.4,
      key_confidence: 0.4,
    })
  })
})

describe('the key of a version', () => {
  test('below 60 % is replaced with that of the most confident version of the same tempo', () => {
    const versions = [
      makeVersion(measure(128, 0.9, 'G', 0.59)),
      makeVersion(measure(128, 0.9, 'C', 0.8)),
      makeVersion(measure(128, 0.9, 'Dm', 0.6)),
      makeVersion(measure(128, 0.9, null, 0)),
    ]
    expect(keysOf(versions)).toEqual(['C', 'C', 'Dm', 'C'])
    expect(resolveVersions(versions)[0]).toMatchObject({ key_source: 'analysis', key_confidence: 0.8 })
  })

  test('is not taken from a version of another tempo', () => {
    expect(keysOf([makeVersion(measure(100, 0.9, 'G', 0.3)), makeVersion(measure(128, 0.9, 'C', 0.9))])).toEqual([
      'G',
      'C',
    ])
  })

  test('of a version without a known tempo is taken from any other', () => {
    const acapella = makeVersion(measure(91, 0.2, 'G', 0.3))
    expect(keysOf([acapella, makeVersion(measure(128, 0.9, 'C', 0.9))])).toEqual(['C', 'C'])
  })

  test('is not taken from a version that is less certain', () => {
    expect(keysOf([makeVersion(measure(128, 0.9, 'G', 0.4)), makeVersion(measure(128, 0.9, 'C', 0.3))])[0]).toBe('G')
  })

  test('set by staff stays, and less certain versions follow it', () => {
    const set = makeVersion(measure(128, 0.9, 'G', 0.3), { song_key: 'Em', key_source: 'staff' })
    expect(keysOf([set, makeVersion(measure(128, 0.9, 'F', 0.4)), makeVersion(measure(128, 0.9, 'C', 0.9))])).toEqual([
      'Em',
      'Em',
      'C',
    ])
  })
})

describe('what a song shows', () => {
  test('is the range of its versions', () => {
    expect(songOf([makeVersion(measure(100)), makeVersion(measure(128))])).toMatchObject({
      ...{ min_bpm: 100, max_bpm: 128, bpm_source: 'analysis' },
    })
  })

  test('is one tempo when they differ by less than half a beat', () => {
    expect(songOf([makeVersion(measure(127.9, 0.8)), makeVersion(measure(128.1, 0.9))])).toMatchObject({
      ...{ min_bpm: 128.1, max_bpm: 128.1 },
    })
  })

  test('includes both tempos of a transition', () => {
    const transition = makeVersion(null, { bpm: 98, bpm_to: 124, bpm_source: 'name' })
    expect(songOf([transition, makeVersion(measure(98))])).toMatchObject({ min_bpm: 98, max_bpm: 124 })
  })

  test('leaves out unpublished versions and unlikely tempos', () => {
    const versions = [
      makeVersion(measure(128)),
      makeVersion(measure(85, 0.3)),
      makeVersion(measure(100), { status: 'unpublished' }),
    ]
    expect(songOf(versions)).toMatchObject({ min_bpm: 128, max_bpm: 128 })
  })

  test('is the likeliest tempo if none is certain', () => {
    expect(songOf([makeVersion(measure(85, 0.2)), makeVersion(measure(128, 0.4))])).toMatchObject({
      ...{ min_bpm: 128, max_bpm: 128 },
    })
  })

  test('is the range that staff set for the whole song', () => {
    const current: SongTempo = { ...EMPTY, min_bpm: 90, max_bpm: 128, bpm_source: 'staff' }
    expect(songOf([makeVersion(measure(100))], current)).toMatchObject({
      min_bpm: 90,
      max_bpm: 128,
      bpm_source: 'staff',
    })
  })

  test('is not such a range when staff set the tempos of its versions', () => {
    const versions = [100, 128].map((bpm) => makeVersion(null, { bpm, bpm_source: 'staff' }))
    expect(songOf(versions)).toMatchObject({ min_bpm: 100, max_bpm: 128, bpm_source: null })
  })

  test('is the key of the most trusted, then the most confident version', () => {
    const [unsure, sure] = [makeVersion(measure(100, 0.9, 'Am', 0.7)), makeVersion(measure(128, 0.9, 'C', 0.8))]
    expect(songOf([unsure, sure]).song_key).toBe('C')
    const tagged = makeVersion(measure(90, 0.9, 'F', 0.9), { song_key: 'Dm', key_source: 'tag' })
    expect(songOf([unsure, sure, tagged])).toMatchObject({ song_key: 'Dm', key_source: 'tag' })
  })

  test('stays as it is without any value of a version', () => {
    const current: SongTempo = { min_bpm: 90, max_bpm: 90, bpm_source: null, song_key: 'C', key_source: null }
    expect(songOf([makeVersion(null)], current)).toEqual(current)
  })
})

describe('a value for the whole song', () => {
  const versions = [
    makeVersion(measure(100), { bpm: 100, bpm_source: 'analysis' }),
    makeVersion(measure(128), { bpm: 128, bpm_source: 'analysis', tag_bpm: 127, tag_key: 'Em' }),
    makeVersion(measure(101), { bpm: 101, bpm_source: 'analysis', version_label: 'Transition' }),
  ]
  const setBpm = (min_bpm: number | null, max_bpm: number | null, bpm_source: Source) =>
    withSongBpm(versions, { min_bpm, max_bpm, bpm_source }).map((one) => [one.bpm, one.bpm_to, one.bpm_source])

  test('goes to all versions', () => {
    expect(setBpm(120, 120, 'staff')).toEqual(versions.map(() => [120, null, 'staff']))
    const keys = withSongKey(versions, { song_key: 'C', key_source: 'staff' }).map((one) => [
      one.song_key,
      one.key_source,
    ])
    expect(keys).toEqual(versions.map(() => ['C', 'staff']))
  })

  test('as a range goes only to a transition', () => {
    expect(setBpm(100, 128, 'staff')).toEqual([
      [100, null, 'analysis'],
      [128, null, 'analysis'],
      [100, 128, 'staff'],
    ])
  })

  test('from tags or an analysis is each file’s own', () => {
    expect(setBpm(120, 120, 'tag')).toEqual([
      [120, null, 'tag'],
      [127, null, 'tag'],
      [120, null, 'tag'],
    ])
    const set = versions.map((version) => ({ ...version, bpm: 90, bpm_source: 'staff' as const }))
    expect(bpmsOf(withSongBpm(set, { min_bpm: 100, max_bpm: 100, bpm_source: 'analysis' }))).toEqual([100, 128, 101])
  })
})

describe('for any versions', { tags: ['property'] }, () => {
  const probability = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
  const bpm = fc.oneof(fc.constantFrom(64, 85, 100, 128, 170), fc.integer({ min: 20, max: 400 }))
  const key = fc.constantFrom('Am', 'C', 'F#m')
  const measured = fc.record({
    bpm: fc.option(bpm),
    bpm_confidence: probability,
    song_key: fc.option(key),
    key_confidence: probability,
  })
  const source = fc.constantFrom<Source | null>('tag', 'name', 'uploader', 'staff', 'analysis', null)
  const version = fc
    .record({
      version_label: fc.constantFrom('Clean', 'Acapella', 'Transition'),
      status: fc.constantFrom('published' as const, 'unpublished' as const),
      duration_seconds: fc.constantFrom(12, 200),
      ...{ bpm: fc.option(bpm), bpm_source: source, song_key: fc.option(key), key_source: source },
      measured: fc.option(measured),
    })
    .map((more) => makeVersion(null, more))
  const versions = fc.array(version, { minLength: 1, maxLength: 6 })

  test('resolving twice changes nothing more', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const once = resolveVersions(all)
        expect(resolveVersions(once)).toEqual(once)
      }),
    )
  })

  test('what people, tags and names say stays, whatever is measured', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const fixed = (one: Version, name: Source | null) => name !== null && name !== 'analysis' && one
        for (const [n, after] of resolveVersions(all).entries()) {
          const before = all[n] as Version
          if (fixed(before, before.bpm_source))
            expect([after.bpm, after.bpm_source]).toEqual([before.bpm, before.bpm_source])
          if (fixed(before, before.key_source))
            expect([after.song_key, after.key_source]).toEqual([before.song_key, before.key_source])
        }
      }),
    )
  })

  test('a measured tempo only ever changes by an octave', () => {
    fc.assert(
      fc.property(versions, (all) => {
        for (const { measured, bpm, bpm_source } of resolveVersions(all)) {
          if (bpm_source !== 'analysis' || !measured || measured.bpm === null) continue
          expect([0.5, 1, 2]).toContain((bpm ?? 0) / measured.bpm)
        }
      }),
    )
  })

  test('the order of the versions does not matter', () => {
    fc.assert(
      fc.property(versions, (all) => {
        expect(resolveVersions(all.toReversed()).toReversed()).toEqual(resolveVersions(all))
        expect(songOf(all.toReversed())).toEqual(songOf(all))
      }),
    )
  })

  test('the range of a song contains every tempo that is certain', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const resolved = resolveVersions(all)
        const { min_bpm, max_bpm } = deriveSong(resolved, EMPTY)
        for (const { bpm, bpm_source, bpm_confidence, status } of resolved) {
          const isCertain = bpm_source !== 'analysis' || (bpm_confidence ?? 1) >= 0.5
          if (bpm === null || status === 'unpublished' || !isCertain) continue
          expect(bpm).toBeGreaterThan((min_bpm ?? 0) - 0.5)
          expect(bpm).toBeLessThan((max_bpm ?? 0) + 0.5)
        }
      }),
    )
  })
})
