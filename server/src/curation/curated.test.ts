import { charts, spotlights } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
let moods: number
let sunset: number
let empty: number
beforeAll(async () => {
  pool = await openTestPool()
  moods = await aCuratedGenre('Moods')
  sunset = await aCuratedGenre('Sunset', moods)
  empty = await aCuratedGenre('Empty')
  await aList('Oldest', { genre: moods, daysAgo: 9, suggested: true })
  await aList('Middle', { genre: sunset, daysAgo: 5 })
  await aList('Newest', { daysAgo: 1, suggested: true })
  await aList('Not yet', { genre: sunset, daysAgo: -1, suggested: true })
})
afterAll(() => pool.close())

async function aCuratedGenre(title: string, parent: number | null = null): Promise<number> {
  const [added] = await pool.ctx.sql<{ curated_genre_id: number }[]>`
    insert into curated_genre (title, parent_id) values (${title}, ${parent}) returning curated_genre_id`
  return added?.curated_genre_id ?? 0
}

async function aList(
  title: string,
  options: { genre?: number; daysAgo: number; suggested?: boolean; songs?: number[] },
) {
  const { sql } = pool.ctx
  const [added] = await sql<{ curated_list_id: number }[]>`
    insert into curated_list (title, created_by, curated_genre_id, suggested, published_at)
    values (${title}, 'Ada', ${options.genre ?? null}, ${options.suggested ?? false}, now() - make_interval(days => ${options.daysAgo}))
    returning curated_list_id`
  const listId = added?.curated_list_id ?? 0
  await sql`insert into curated_list_song (curated_list_id, position, entity_id)
    select ${listId}, n, entity_id from unnest(${options.songs ?? []}::bigint[]) with ordinality songs (entity_id, n)`
  return listId
}

const titles = (reply: { curatedlist: { title: string }[] }) => reply.curatedlist.map((list) => list.title)

test('lists spotlights newest first, 36 a page, without scheduled ones', async () => {
  const reply = await pool.ask(spotlights.getCuratedLists, {})
  expect(titles(reply)).toEqual(['Newest', 'Middle', 'Oldest'])
  expect(reply.pagination).toEqual({ page: 1, perPageLimit: 36, totalCount: 3 })
  expect(reply.curatedlist[0]).toMatchObject({
    created_by: 'Ada',
    song_count: 0,
    image: expect.stringContaining('/images/list-'),
  })
})

test('returns the requested number a page, with the same count after the last page', async () => {
  const second = await pool.ask(spotlights.getCuratedLists, { page: 2, pageLimit: 2 })
  expect([titles(second), second.pagination]).toEqual([['Oldest'], { page: 2, perPageLimit: 2, totalCount: 3 }])
  const beyond = await pool.ask(spotlights.getCuratedLists, { page: 9 })
  expect([titles(beyond), beyond.pagination.totalCount]).toEqual([[], 3])
})

test('includes the lists of sub-genres in a main genre', async () => {
  const of = (curated_genres_id: number) => pool.ask(spotlights.getCuratedLists, { curated_genres_id })
  expect(titles(await of(moods))).toEqual(['Middle', 'Oldest'])
  expect(titles(await of(sunset))).toEqual(['Middle'])
  expect(titles(await of(empty))).toEqual([])
})

test('lists only published spotlights as suggested', async () => {
  expect(titles(await pool.ask(spotlights.getSuggestedLists, {}))).toEqual(['Newest', 'Oldest'])
})

test('counts only available songs in a list', async () => {
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx)]
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs[1]?.entity_id ?? 0}`
  const listId = await aList('With songs', { daysAgo: 100, songs: songs.map((song) => song.entity_id) })
  const { curatedlist } = await pool.ask(spotlights.getCuratedLists, { pageLimit: 100 })
  expect(curatedlist.at(-1)).toMatchObject({ curated_list_id: listId, song_count: 2 })
  const { pagination } = await pool.ask(spotlights.getSpotlightSongs, { curated_list_id: listId })
  expect(pagination.totalCount).toBe(2)
  await pool.ctx.sql`delete from curated_list where curated_list_id = ${listId}`
})

test('returns the parent of a curated genre', async () => {
  expect(await pool.ask(spotlights.getCuratedGenre, { genre_id: sunset })).toEqual({
    genre: { genre_id: sunset, title: 'Sunset', name: 'Sunset', current_genre: { parent_id: moods } },
  })
  const { genre } = await pool.ask(spotlights.getCuratedGenre, { genre_id: moods })
  expect(genre.current_genre.parent_id).toBeNull()
})

test('counts published lists of curated genres, including those of sub-genres in a main one', async () => {
  const { genres } = await pool.ask(spotlights.getCuratedGenres, {})
  expect(genres).toMatchObject([
    { title: 'Moods', name: 'Moods', list_count: 2, isActive: false, subgenres: [{ title: 'Sunset', list_count: 1 }] },
    { title: 'Empty', list_count: 0, isActive: false, subgenres: [] },
  ])
})

test('marks the requested curated genre as active, or its parent', async () => {
  const active = async (genre_id: number) => {
    const { genres } = await pool.ask(spotlights.getCuratedGenres, { genre_id })
    return genres.filter((genre) => genre.isActive).map((genre) => genre.title)
  }
  expect(await active(moods)).toEqual(['Moods'])
  expect(await active(sunset)).toEqual(['Moods'])
  expect(await active(empty)).toEqual(['Empty'])
  expect(await active(999_999)).toEqual([])
})

test('refuses an unknown curated genre with a message', async () => {
  const errors = await Promise.all([
    errorOf(pool.ask(spotlights.getCuratedLists, { curated_genres_id: 999_999 })),
    errorOf(pool.ask(spotlights.getCuratedGenre, { genre_id: 999_999 })),
  ])
  for (const error of errors) expect(error).toMatchObject({ status: 404, code: 'unknown_genre' })
})

test('counts only published top 20s, equally on every page', async () => {
  await pool.ctx
    .sql`insert into top20 (title, published_at) values ('May', now() - interval '1 day'), ('July', now() + interval '1 day')`
  const first = await pool.ask(charts.getTop20Tracks, {})
  expect([first.tracks.map((top) => top.title), first.pagination.totalCount]).toEqual([['May'], 1])
  const beyond = await pool.ask(charts.getTop20Tracks, { page: 3 })
  expect([beyond.tracks, beyond.pagination.totalCount]).toEqual([[], 1])
})
