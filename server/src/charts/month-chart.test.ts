import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { monthChart, rankTopsOfDays, TOP_OF_DAY } from './month-chart.ts'

const MONTH = '2026-10'
const PLACES = 20
const SONGS = TOP_OF_DAY * 2

let pool: TestPool
/** Later ones are newer. */
let songs: number[]
beforeAll(async () => {
  pool = await openTestPool()
  songs = await addPlainSongs(
    pool.ctx.sql,
    Array.from({ length: SONGS }, (_, n) => ({ title: `Song ${n}`, artist: 'Many' })),
  )
})
beforeEach(async () => {
  await pool.ctx.sql`truncate chart_count`
  await pool.ctx.sql`update song set status = 'published', song_section_id = ${catalogue.SECTIONS.songs}`
})
afterAll(() => pool.close())

/** What each song is downloaded on a day, by its place in `songs`. */
type Downloads = (song: number) => number

/** Counts downloads, by the day of the month. */
async function count(days: Record<number, Downloads>): Promise<void> {
  for (const [day, downloads] of Object.entries(days))
    await pool.ctx.sql`
      insert into chart_count (period, start, entity_id, n)
      select 'day', ${`${MONTH}-${day.padStart(2, '0')}`}::timestamptz, entity_id, n
      from unnest(${songs}::bigint[], ${songs.map((_, n) => downloads(n))}::int[]) counted (entity_id, n) where n > 0`
}

/** The chart as [place in `songs`, downloads], by adding everything up. */
const expectedOf = (days: Record<number, Downloads>, isListed: (song: number) => boolean = () => true) =>
  songs
    .map((_, n) => [n, Object.values(days).reduce((sum, downloads) => sum + downloads(n), 0)] as const)
    .filter(([n, total]) => total > 0 && isListed(n))
    .toSorted(([a, more], [b, less]) => less - more || b - a)
    .slice(0, PLACES)

const chart = async () =>
  (await monthChart(pool.ctx.sql, MONTH, { places: PLACES, downloadLimit: 2 })).map(({ entity_id, downloads }) => [
    songs.indexOf(entity_id),
    downloads,
  ])
const isFoundInTops = async () => (await rankTopsOfDays(pool.ctx.sql, MONTH, { places: PLACES })) !== undefined

test('adds up all downloads of a song that is at the top of some days only', async () => {
  const days: Record<number, Downloads> = {
    // Song 1 is behind all others.
    1: (song) => (song === 0 ? 100 : song === 1 ? 58 : song <= 60 ? 60 : 0),
    // Songs 0 and 1 are below the top.
    31: (song) => (song < 2 ? 5 : song > 60 && song <= 60 + TOP_OF_DAY ? 6 : 0),
  }
  await count(days)
  expect(await chart()).toEqual(expectedOf(days))
  expect((await chart()).slice(0, 3)).toEqual([
    [0, 105],
    [1, 63],
    [60, 60],
  ])
  expect(await isFoundInTops()).toBe(true)
})

test('finds songs that are at the top of no day', async () => {
  const isRegular = (song: number) => song < 5
  const days: Record<number, Downloads> = {
    1: (song) => (isRegular(song) ? 9 : song < 5 + TOP_OF_DAY - 10 ? 10 : 9),
    2: (song) => (isRegular(song) ? 9 : song >= SONGS - TOP_OF_DAY ? 10 : 0),
    3: (song) => (isRegular(song) ? 9 : song >= 50 && song < 50 + TOP_OF_DAY ? 10 : 0),
  }
  await count(days)
  expect(await isFoundInTops()).toBe(false)
  expect(await chart()).toEqual(expectedOf(days))
})

test('leaves out unpublished songs and those of other sections, and fills their places', async () => {
  const { sql } = pool.ctx
  const days: Record<number, Downloads> = { 1: (song) => song + 1, 2: (song) => song + 1 }
  await count(days)
  await sql`update song set status = 'unpublished' where entity_id = ${songs[SONGS - 1]!}`
  await sql`update song set song_section_id = ${catalogue.SECTIONS.kuts} where entity_id = ${songs[SONGS - 2]!}`
  expect(await chart()).toEqual(expectedOf(days, (song) => song < SONGS - 2))
  expect(await isFoundInTops()).toBe(true)
})

test('ranks any month as adding everything up does, and neither the day before nor the day after', async () => {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const found: boolean[] = []
  for (const popularity of [0, 0.5, 2, 8]) {
    await pool.ctx.sql`truncate chart_count`
    const days = Object.fromEntries(
      Array.from({ length: 31 }, (_, n) => {
        const downloads = songs.map((_, song) => Math.floor(60 * random() * ((SONGS - song) / SONGS) ** popularity))
        return [n + 1, (song: number) => downloads[song]!]
      }),
    )
    await count(days)
    await pool.ctx.sql`
      insert into chart_count (period, start, entity_id, n)
      values ('day', '2026-09-30', ${songs[150]!}, 5000), ('day', '2026-11-01', ${songs[150]!}, 5000)`
    expect(await chart()).toEqual(expectedOf(days))
    found.push(await isFoundInTops())
  }
  expect(found).toEqual([false, true, true, true])
})

test('has no songs in a month without downloads', async () => {
  expect(await chart()).toEqual([])
})
