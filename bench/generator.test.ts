import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSongs } from '../server/src/catalogue/lists.ts'
import { indexSong } from '../server/src/catalogue/search-index.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { search } from '../server/src/search/search.ts'
import { wantedWords } from '../server/src/search/search-params.ts'
import { openTestPool, type TestPool } from '../server/test/pool.ts'
import { fillCatalogue } from './generator.ts'

const SONGS = 1000

let pool: TestPool
let sql: Pool

beforeAll(async () => {
  pool = await openTestPool()
  sql = pool.ctx.sql
  await fillCatalogue(sql, SONGS)
})

afterAll(() => pool.close())

const find = (text: string) =>
  search(sql, { section: 1, words: wantedWords(text), genres: [], facets: [] }, { offset: 0, limit: 24 })

describe('benchmark catalogue', () => {
  it('has the requested number of songs, each with a version', async () => {
    const [countRow] = await sql`
      select count(*)::int as songs, count(*) filter (where exists (
        select 1 from song_version v where v.entity_id = s.entity_id))::int as with_version from song s`
    expect(countRow).toEqual({ songs: SONGS, with_version: SONGS })
  })

  it('finds a song by title and artist', async () => {
    const songs = await sql<{ entity_id: number; title: string; artist: string }[]>`
      select entity_id, title, artist from song where song_section_id = 1 order by entity_id limit 20`
    for (const song of songs) {
      const matches = await find(`${song.title} ${song.artist}`.slice(0, 60))
      expect(matches.songs.map(({ entity_id }) => entity_id)).toContain(song.entity_id)
    }
  })

  it('finds a word despite a typo', async () => {
    const [word] = await sql<{ word: string }[]>`
      select word from search_word where length(word) >= 7 and df between 2 and 20 and word ~ '^[a-z]+$' order by word limit 1`
    const matches = await find(`${word?.word.slice(0, 3)}${word?.word.slice(4)}`)
    expect(matches.totalCount).toBeGreaterThan(0)
  })

  it('has the same search index as the pool would write', async () => {
    const rows = () => sql<{ entity_id: number; max_bpm: number | null; tsv: string }[]>`
      select entity_id, max_bpm, tsv::text from song_search where entity_id <= 50 order by entity_id`
    const loaded = [...(await rows())]
    for (const { entity_id } of loaded) await indexSong(sql, entity_id)
    expect(loaded).toEqual([...(await rows())])
  })

  it('has the same genre counts as a recount', async () => {
    const counters = await sql`select genre_id, song_section_id, songs from genre_counter order by 1, 2`
    const recount = await sql`
      select genre_id, song_section_id, count(*) as songs from (
        select genre_id, song_section_id, entity_id from song_genre join song using (entity_id)
        union all select 0, song_section_id, entity_id from song) listed group by 1, 2 order by 1, 2`
    expect([...counters]).toEqual([...recount])
  })

  it('lists a song under the main genre of its sub-genre too', async () => {
    const [missing] = await sql`
      select count(*)::int as songs from song_genre sg join genre g using (genre_id)
      where g.parent_id is not null and not exists (
        select 1 from song_genre main where main.entity_id = sg.entity_id and main.genre_id = g.parent_id)`
    expect(missing?.songs).toBe(0)
    const { songs } = await listSongs(
      sql,
      { genre_id: 31, song_section_id: 1, page: 1, order: 'entity_id', orderDir: 'DESC' },
      2,
    )
    expect(songs).toHaveLength(24)
  })
})
