import { isClash, KEYS, transitionBetween } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { arrangeSet } from './set-arranging.ts'
import { type SetSong, setCost } from './set-cost.ts'

let lastId = 0
const song = (bpm: number | null, song_key: string | null, energy: number | null = 5): SetSong => ({
  ...{ entity_id: ++lastId, bpm, bpm_to: null, song_key, energy },
})
const warmUp = (songs: SetSong[]) => arrangeSet(songs, { curve: 'warm_up' })
const keysOf = (songs: SetSong[]) => songs.map(({ song_key }) => song_key)
const temposOf = (songs: SetSong[]) => songs.map(({ bpm }) => bpm)
const energiesOf = (songs: SetSong[]) => songs.map(({ energy }) => energy)
const countClashes = (songs: SetSong[]) =>
  songs.filter((each, n) => n > 0 && isClash(transitionBetween(songs[n - 1]!, each))).length

/** A crate that is the same in every run: house, half of it with an energy, and some songs of other tempos. */
function aCrate(size: number): SetSong[] {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: size }, () => {
    const genre = random()
    const bpm = Math.round((genre < 0.7 ? 118 + 14 * random() : genre < 0.9 ? 84 + 20 * random() : 174) * 10) / 10
    const key = random() < 0.05 ? null : KEYS[Math.floor(random() * 24)]!
    return song(random() < 0.05 ? null : bpm, key, random() < 0.5 ? 1 + Math.floor(random() * 10) : null)
  })
}

describe('transitions', () => {
  test('compatible keys follow each other: the same, relative, or one step', () => {
    const arranged = warmUp([song(124, 'Am'), song(124, 'Ebm'), song(124, 'Em'), song(124, 'Bbm'), song(124, 'Am')])
    expect(countClashes(arranged)).toBe(0)
  })

  test('two steps and a semitone up are better than a clash, and worse than one step', () => {
    const costOf = (to: string) => setCost([song(124, 'Am'), song(124, to)], 'warm_up')
    expect(costOf('Em')).toBeLessThan(costOf('Bm'))
    expect(costOf('C')).toBeLessThan(costOf('Bbm'))
    expect(costOf('Bm')).toBeLessThan(costOf('F#'))
    expect(costOf('Bbm')).toBeLessThan(costOf('F#'))
    expect(costOf('Am')).toBeLessThan(costOf('Em'))
  })

  test('tempos change little from song to song', () => {
    const tempos = temposOf(warmUp([126, 120, 128, 122, 124].map((bpm) => song(bpm, 'Am'))))
    expect(tempos.toSorted((a, b) => a! - b!)).toEqual(tempos)
  })

  test('a tempo out of range is avoided, half and double tempo less', () => {
    const costOf = (bpm: number) => setCost([song(140, 'Am'), song(bpm, 'Am')], 'cool_down')
    const [near, half, far] = [138, 70, 110].map(costOf)
    expect(near).toBeLessThan(half!)
    expect(far! - half!).toBeGreaterThan(2)
  })

  test('a song starts from the tempo that the one before ends with', () => {
    const rising = { ...song(100, 'Am'), bpm_to: 128 }
    expect(arrangeSet([song(128, 'Am'), rising, song(100, 'Am')], { curve: 'warm_up' }).map(({ bpm }) => bpm)).toEqual([
      100, 100, 128,
    ])
  })

  test('a song without tempo and key goes between two that clash', () => {
    const arranged = warmUp([
      song(null, null, null),
      song(124, 'Am'),
      song(124, 'Am'),
      song(124, 'F#'),
      song(124, 'F#'),
    ])
    expect(keysOf(arranged)[2]).toBeNull()
    expect(countClashes(arranged)).toBe(0)
  })
})

describe('the energy curve', () => {
  const energies = [3, 9, 1, 7, 5, 10, 2, 8, 4, 6]
  const arrange = (curve: Parameters<typeof arrangeSet>[1]['curve']) =>
    energiesOf(
      arrangeSet(
        energies.map((energy) => song(124, 'Am', energy)),
        { curve },
      ),
    ) as number[]

  test('warm-up rises and cool-down falls', () => {
    expect(arrange('warm_up')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(arrange('cool_down')).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('peak time rises early and stays high', () => {
    const [first, ...others] = arrange('peak_time')
    expect(first).toBeLessThanOrEqual(2)
    expect(Math.min(...others.slice(4))).toBeGreaterThan(3)
  })

  test('full night rises, peaks after the middle and falls', () => {
    const night = arrange('full_night')
    expect(night.slice(0, 5)).toEqual(night.slice(0, 5).toSorted((a, b) => a - b))
    expect(night.indexOf(10)).toBeGreaterThanOrEqual(4)
    expect(night.indexOf(10)).toBeLessThanOrEqual(8)
    expect(night.at(-1)).toBeLessThan(night[7]!)
  })

  test('an unknown energy is estimated from the tempo', () => {
    const songs = [128, 90, 140, 100, 115].map((bpm) => song(bpm, 'Am', null))
    expect(temposOf(arrangeSet(songs, { curve: 'warm_up' }))).toEqual([90, 100, 115, 128, 140])
    expect(temposOf(arrangeSet(songs, { curve: 'cool_down' }))).toEqual([140, 128, 115, 100, 90])
  })

  test('the tempo decides between equal energies', () => {
    const songs = [126, 122, 124].map((bpm) => song(bpm, 'Am'))
    expect(temposOf(arrangeSet(songs, { curve: 'warm_up' }))).toEqual([122, 124, 126])
    expect(temposOf(arrangeSet(songs, { curve: 'cool_down' }))).toEqual([126, 124, 122])
  })
})

test('the first song stays first if it is fixed', () => {
  const songs = [9, 1, 2, 3, 4, 5].map((energy) => song(124, 'Am', energy))
  expect(arrangeSet(songs, { curve: 'warm_up', isFirstFixed: true })[0]).toBe(songs[0])
  expect(arrangeSet(songs, { curve: 'warm_up' })[0]).not.toBe(songs[0])
})

test.each([0, 1, 2])('%i songs are arranged too', (size) => {
  const songs = aCrate(size)
  const ids = (list: SetSong[]) => list.map(({ entity_id }) => entity_id).toSorted((a, b) => a - b)
  expect(ids(arrangeSet(songs, { curve: 'full_night', isFirstFixed: true }))).toEqual(ids(songs))
})

test('finds the best order of a few songs', () => {
  const songs = aCrate(7)
  const orders = (rest: SetSong[]): SetSong[][] =>
    rest.length < 2 ? [rest] : rest.flatMap((each, n) => orders(rest.toSpliced(n, 1)).map((more) => [each, ...more]))
  const best = Math.min(...orders(songs).map((order) => setCost(order, 'warm_up')))
  expect(setCost(warmUp(songs), 'warm_up')).toBeCloseTo(best, 4)
})

test.each([
  [24, 2, 1.4],
  [100, 3.5, 1.8],
  [500, 5, 3],
])(
  '%i songs cost %d times less than at random and %d times less than by tempo',
  (size, lessThanRandom, lessThanBpm) => {
    const songs = aCrate(size)
    const byBpm = songs.toSorted((a, b) => (a.bpm ?? 0) - (b.bpm ?? 0))
    const arranged = warmUp(songs)
    const costs = [songs, byBpm, arranged].map((order) => setCost(order, 'warm_up'))
    expect(costs[2]! * lessThanRandom).toBeLessThan(costs[0]!)
    expect(costs[2]! * lessThanBpm).toBeLessThan(costs[1]!)
    expect(countClashes(arranged) * 4).toBeLessThan(countClashes(byBpm))
    expect(new Set(arranged)).toEqual(new Set(songs))
    expect(warmUp(songs)).toEqual(arranged)
  },
)
