import { catalogue, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { fillDemoPool } from './fill.ts'

let pool: TestPool
let filled: { songs: number; versions: number }
beforeAll(async () => {
  pool = await openTestPool()
  filled = await fillDemoPool(pool.world.sql, new Date())
})
afterAll(() => pool.close())

const number = async (query: string): Promise<number> => {
  const [row] = await pool.world.sql.unsafe<{ n: number }[]>(query)
  return row?.n ?? -1
}

test('the demo has its songs and versions, and House is the home genre', async () => {
  expect(filled.songs).toBeGreaterThanOrEqual(240)
  expect(filled.versions).toBeGreaterThanOrEqual(720)
  const home = await pool.ask(catalogue.getGenresSong, {})
  expect(home.genre).toEqual({ genre_id: 31, name: 'House' })
  expect(home.songs).toHaveLength(24)
  expect((await pool.ask(catalogue.homePageGenres, {})).genres[0]).toEqual({ genre_id: 31, name: 'House' })
})

test('every counter is what a recount finds', async () => {
  const wrong = `
    select count(*)::int as n from genre_counter c where songs <> case when genre_id = 0
      then (select count(*) from song s where s.song_section_id = c.song_section_id and s.status = 'published')
      else (select count(*) from song_genre g where g.genre_id = c.genre_id and g.listed_section = c.song_section_id) end`
  expect(await number(wrong)).toBe(0)
  expect(await number('select count(*)::int as n from song_search')).toBe(filled.songs)
})

test('grants and charts add up to the ledger, and nobody is above the limit', async () => {
  const downloads = await number('select count(*)::int as n from download')
  expect(downloads).toBeGreaterThan(10_000)
  expect(await number('select sum(used)::int as n from download_grant')).toBe(downloads)
  expect(await number('select max(used)::int as n from download_grant')).toBe(2)
  for (const period of ['day', 'week', 'month']) {
    expect(await number(`select sum(n)::int as n from chart_count where period = '${period}'`)).toBe(downloads)
  }
})

test('nothing was downloaded or heard before it was there, or in the future', async () => {
  expect(
    await number(
      'select count(*)::int as n from download d join song s using (entity_id) where d.at < s.created_at or d.at > now()',
    ),
  ).toBe(0)
  expect(
    await number(
      'select count(*)::int as n from listen l join song s using (entity_id) where l.at < s.created_at or l.at > now()',
    ),
  ).toBe(0)
})

test('each demo member is what the sign-in dialog says', async () => {
  const signIn = (email: string) => pool.ask(membership.signIn, { email, password: 'dubplate' })
  expect((await signIn('dj@demo.test')).profile).toMatchObject({
    group_id: 2,
    payment_profile_status: 'paid',
    staff_role: null,
  })
  expect((await signIn('free@demo.test')).profile).toMatchObject({ group_id: 2, payment_profile_status: 'unpaid' })
  expect((await signIn('label@demo.test')).profile).toMatchObject({ group_id: 3 })
  expect((await signIn('staff@demo.test')).profile).toMatchObject({ staff_role: 'admin' })
  expect(await refusalOf(signIn('new@demo.test'))).toMatchObject({ code: 'dj_application_missing' })
  expect(await refusalOf(signIn('pending@demo.test'))).toMatchObject({ code: 'dj_application_pending' })
})

test('spotlights, collections and charts have songs', async () => {
  const { curatedlist } = await pool.ask(catalogue.getSpotlights, {})
  expect(curatedlist).toHaveLength(12)
  const list = await pool.ask(catalogue.getSpotlightSongs, { curated_list_id: curatedlist[0]?.curated_list_id ?? 0 })
  expect(list.songs.length).toBeGreaterThan(10)
  const { tracks } = await pool.ask(catalogue.getTop20Tracks, { limit: 15 })
  expect(tracks).toHaveLength(15)
  const top20 = await pool.ask(catalogue.getTop20Songs, { top20_track_id: tracks[0]?.top20_track_id ?? 0 })
  expect(top20.songs.map((song) => song.rank)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  const { songs } = await pool.ask(catalogue.getTrendingTracks, {})
  expect(songs.map((song) => song.rank)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
})
