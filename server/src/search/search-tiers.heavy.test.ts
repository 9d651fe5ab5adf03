import { readFileSync } from 'node:fs'
import path from 'node:path'
import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre } from '../../test/makers.ts'
import { addPlainSongs, type PlainSong } from '../../test/plain-songs.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { editDistance, wordsOf } from '../catalogue/words.ts'
import { projectRoot } from '../platform/project-root.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type ExpectedRow = [title: string, words: string, tempo: string]
type Filters = Partial<Parameters<typeof pool.ask<typeof catalogue.searchSongs>>[1]>
const ask = (searchTerm: string, more: Filters = {}) => pool.ask(catalogue.searchSongs, { searchTerm, ...more })
const rowOf = ({ songs }: Awaited<ReturnType<typeof ask>>): ExpectedRow[] =>
  songs.map(({ title, found }) => [title, found.words, found.tempo])
const find = async (searchTerm: string, more: Filters = {}) =>
  rowOf(await ask(searchTerm, more)).map(([title]) => title)

/** All pages of a search, concatenated. */
async function wholeRow(searchTerm: string, more: Filters = {}): Promise<ExpectedRow[]> {
  const row: ExpectedRow[] = []
  for (let page = 1; ; page++) {
    const reply = await ask(searchTerm, { ...more, page })
    if (reply.songs.length === 0) return row
    row.push(...rowOf(reply))
  }
}

const add = (songs: readonly PlainSong[]) => addPlainSongs(pool.ctx.sql, songs)
const many = (count: number, make: (n: number) => PlainSong) => add(Array.from({ length: count }, (_, n) => make(n)))

describe('exact titles', () => {
  test('put a song whose full title was typed before newer ones that contain it', async () => {
    await add([
      { title: 'Ember', artist: 'Old One' },
      { title: 'Slow Ember', artist: 'Middle' },
      { title: 'Quiet', artist: 'Ember' },
      { title: 'Ember Falls', artist: 'Newest' },
    ])
    expect(await find('ember')).toEqual(['Ember', 'Quiet', 'Ember Falls', 'Slow Ember'])
    expect(await find('artist:ember')).toEqual(['Quiet'])
    expect(await find('title:ember')).toEqual(['Ember', 'Ember Falls', 'Slow Ember'])
  })

  test('match words typed in another order or with other accents too', async () => {
    await add([
      { title: 'Última Noche', artist: 'Brisa' },
      { title: 'La Última Noche', artist: 'Brisa' },
    ])
    expect(await find('noche ultima')).toEqual(['Última Noche', 'La Última Noche'])
  })

  test('lead with at most the 24 newest, the others are sorted by age among the rest', async () => {
    const older = await many(26, (n) => ({ title: 'Velvet', artist: `Singer ${n}` }))
    await add([{ title: 'Velvet Rope', artist: 'Janet' }])
    const reply = [await ask('velvet'), await ask('velvet', { page: 2 })].flatMap(({ songs }) => songs)
    expect(reply.slice(0, 24).map((song) => song.entity_id)).toEqual(older.slice(2).reverse())
    expect(reply.slice(24).map((song) => song.title)).toEqual(['Velvet Rope', 'Velvet', 'Velvet'])
  })

  test('respect the filters', async () => {
    await add([
      { title: 'Cinder', artist: 'A', min_bpm: 90 },
      { title: 'Cinder Block', artist: 'B', min_bpm: 120 },
    ])
    expect(await find('cinder bpm:118-122')).toEqual(['Cinder Block'])
  })
})

describe('half and double tempo', () => {
  test('come after the requested tempo, and are marked', async () => {
    await add([
      { title: 'Orbit One', artist: 'A', min_bpm: 174 },
      { title: 'Orbit Two', artist: 'A', min_bpm: 87 },
      { title: 'Orbit Three', artist: 'A', min_bpm: 43.5 },
      { title: 'Orbit Four', artist: 'A', min_bpm: 120 },
    ])
    const reply = await ask('orbit bpm:87')
    expect(rowOf(reply)).toEqual([
      ['Orbit Two', 'exact', 'same'],
      ['Orbit Three', 'exact', 'half'],
      ['Orbit One', 'exact', 'double'],
    ])
    expect(reply).toMatchObject({ exact_count: 1, pagination: { totalCount: 3, more: false } })
  })

  test('do not repeat a song of the requested tempo for a wide range', async () => {
    expect((await wholeRow('orbit bpm:40-180')).map(([title, , tempo]) => [title, tempo])).toEqual([
      ['Orbit Four', 'same'],
      ['Orbit Three', 'same'],
      ['Orbit Two', 'same'],
      ['Orbit One', 'same'],
    ])
  })

  test('are not searched for a tempo range that is open at one end', async () => {
    expect(await find('orbit bpm:>150')).toEqual(['Orbit One'])
    expect(await find('orbit bpm:<50')).toEqual(['Orbit Three'])
  })
})

describe('similar results', () => {
  test('are added only when fewer than 24 match as typed', async () => {
    await many(24, (n) => ({ title: `Harbour ${n}`, artist: 'Wide' }))
    await add([{ title: 'Harbourside', artist: 'Wide' }])
    expect((await ask('harbour')).pagination.totalCount).toBe(24)
    await pool.ctx
      .sql`delete from song_search using song where song.entity_id = song_search.entity_id and title = 'Harbour 0'`
    expect((await wholeRow('harbour')).slice(-2)).toEqual([
      ['Harbour 1', 'exact', 'same'],
      ['Harbourside', 'partial', 'same'],
    ])
  })

  test('allow a typo and a prefix in one text', async () => {
    await add([{ title: 'Lantern Parade', artist: 'Night' }])
    expect(rowOf(await ask('lantren para'))).toEqual([['Lantern Parade', 'similar', 'same']])
    expect(rowOf(await ask('lantren parade'))).toEqual([['Lantern Parade', 'similar', 'same']])
  })

  test('include songs with all words but one when none has all, leaving out unknown words first', async () => {
    await add([
      { title: 'Copper Kettle', artist: 'Brass' },
      { title: 'Copper Wire', artist: 'Zinc' },
    ])
    expect(rowOf(await ask('copper kettle official video'))).toEqual([['Copper Kettle', 'partial', 'same']])
    expect(rowOf(await ask('copper kettle zinc'))).toEqual([
      ['Copper Kettle', 'partial', 'same'],
      ['Copper Wire', 'partial', 'same'],
    ])
    expect(await find('qqqqqq')).toEqual([])
    expect(await find('"copper wire" brass')).toEqual(['Copper Wire'])
    expect(await find('"copper zebra" brass')).toEqual([])
  })
})

describe('words in title and artist', () => {
  test('come before the same words elsewhere, on all pages', async () => {
    const titles = await many(30, (n) => ({ title: `Brimstone ${n}`, artist: 'Quarry' }))
    const labels = await many(320, (n) => ({ title: `Gravel ${n}`, artist: 'Quarry', label: 'Brimstone' }))
    const found: number[] = []
    for (let page = 1; page <= 15; page++)
      found.push(...(await ask('brimstone', { page })).songs.map((song) => song.entity_id))
    expect(found).toEqual([...titles.reverse(), ...labels.reverse()])
    expect(await ask('brimstone')).toMatchObject({ exact_count: 350, pagination: { totalCount: 350 } })
  })
})

/** The same rules for titles of plain words, song by song. */
function plainRow(
  songs: readonly Required<Pick<PlainSong, 'title' | 'min_bpm'>>[],
  text: string,
  bpm?: number,
): ExpectedRow[] {
  const typed = wordsOf(text)
  const used = (word: string) => songs.filter(({ title }) => wordsOf(title).includes(word)).length
  const newest = [...songs].reverse()
  const near = (one: string, other: string) => one === other || editDistance(one, other) <= 1
  const has = (title: string, fits: (own: string, word: string, isLast: boolean) => boolean) =>
    typed.every((word, n) => wordsOf(title).some((own) => fits(own, word, n === typed.length - 1)))
  const row = new Map<(typeof songs)[number], ExpectedRow>()
  const countAllowed = (some: typeof newest, words: string, tempo = 'same') => {
    for (const song of some) if (!row.has(song)) row.set(song, [song.title, words, tempo])
  }
  const exact = newest.filter(({ title }) => has(title, (own, word) => own === word))
  const at = (tempo: number | undefined) =>
    tempo === undefined ? exact : exact.filter((song) => song.min_bpm === tempo)
  countAllowed(
    at(bpm)
      .filter(({ title }) => wordsOf(title).length === typed.length)
      .slice(0, 24),
    'exact',
  )
  countAllowed(at(bpm), 'exact')
  if (bpm) countAllowed(at(bpm / 2), 'exact', 'half')
  if (bpm) countAllowed(at(bpm * 2), 'exact', 'double')
  if (row.size >= 24) return [...row.values()]
  const rare = typed.some((word) => used(word) === 0) ? 0 : 5
  const doubted = (word: string) => used(word) <= rare
  const asked = bpm ? newest.filter((song) => song.min_bpm === bpm) : newest
  const similar = (own: string, word: string) => own === word || (doubted(word) && near(own, word))
  const begun = (own: string, word: string, isLast: boolean) => own === word || (isLast && own.startsWith(word))
  countAllowed(
    asked.filter(({ title }) => has(title, begun)),
    'partial',
  )
  if (row.size >= 24) return [...row.values()]
  const allowed = (own: string, word: string, isLast: boolean) => similar(own, word) || begun(own, word, isLast)
  countAllowed(
    typed.some((word) => songs.some(({ title }) => wordsOf(title).some((own) => own !== word && similar(own, word))))
      ? asked.filter(({ title }) => has(title, allowed))
      : [],
    'similar',
  )
  return [...row.values()]
}

describe('all pages together', () => {
  const tempi = [124, 62, 248, 90]
  const songs = [
    ...Array.from({ length: 40 }, (_, n) => ({
      title: n % 9 ? `Golden Hour ${n}` : 'Golden Hour',
      min_bpm: tempi[n % 4] ?? 0,
    })),
    ...Array.from({ length: 4 }, (_, n) => ({ title: `Silber Moon ${n}`, min_bpm: tempi[n] ?? 0 })),
    ...Array.from({ length: 31 }, (_, n) => ({ title: `Silver Moon ${n}`, min_bpm: tempi[n % 4] ?? 0 })),
    ...Array.from({ length: 6 }, (_, n) => ({ title: n % 2 ? 'Amber Sky' : `Amber Sky ${n}`, min_bpm: 124 })),
    ...Array.from({ length: 40 }, (_, n) => ({ title: `Amber Skyline ${n}`, min_bpm: tempi[n % 4] ?? 0 })),
  ].map((song, n) => ({ ...song, artist: 'Model', remixer: `Nobody ${n}` }))

  beforeAll(async () => {
    await add(songs)
    await recountWords(pool.ctx.sql)
  })

  test.each([
    ['golden hour', undefined],
    ['golden hour', 124],
    ['golden', 248],
    ['silber moon', undefined],
    ['silber', 62],
    ['sliver moon', undefined],
    ['amber sky', undefined],
    ['amber sky', 124],
    ['ambr sky', undefined],
    ['moon si', undefined],
    ['amber skylin', 90],
  ])('match a simple implementation of the rules: %s at %s', async (text, bpm) => {
    const typed = bpm ? `${text} bpm:${bpm}` : text
    const row = plainRow(songs, text, bpm)
    expect(row.length).toBeGreaterThan(0)
    expect(await wholeRow(typed)).toEqual(row)
    const reply = await ask(typed)
    const asTyped = row.filter(([, words, tempo]) => words === 'exact' && tempo === 'same').length
    expect(reply).toMatchObject({ exact_count: asTyped, pagination: { totalCount: row.length, more: false } })
  })

  test('have the same songs with the same marks when sorted by a column', async () => {
    const sorted = await wholeRow('amber sky', { order: 'title', orderDir: 'ASC' })
    const plain = plainRow(songs, 'amber sky')
    expect([...sorted].sort()).toEqual([...plain].sort())
    expect(sorted.map(([title]) => title.toLowerCase())).toEqual(plain.map(([title]) => title.toLowerCase()).sort())
  })

  test('end with 1,000, and say whether there are more', async () => {
    const { sql } = pool.ctx
    const insertSongs = (from: number, to: number, bpm: number) => sql`
      with added as (
        insert into song (title, artist, song_identity, min_bpm, max_bpm)
        select 'Crowd', 'n' || n, 'n' || n || '|crowd|', ${bpm}::real, ${bpm}::real from generate_series(${from}::int, ${to}::int) n
        returning entity_id, artist)
      insert into song_search (entity_id, max_bpm, tsv)
      select entity_id, ${bpm}::real, array_to_tsvector(array['crowd', artist, '=crowd', '@' || artist, '#t1', '#a1', '#s1', ${`#b${bpm}`}]) from added`
    await insertSongs(1, 990, 124)
    await insertSongs(991, 1000, 62)
    await sql`update genre_counter set songs = songs + 1000 where genre_id = 0 and song_section_id = 1`
    await recountWords(sql)
    expect(await ask('crowd bpm:124')).toMatchObject({
      exact_count: 990,
      pagination: { totalCount: 1000, more: false },
    })
    expect((await ask('crowd')).pagination).toMatchObject({ totalCount: 1000, more: false })
    await insertSongs(1001, 1001, 62)
    expect((await ask('crowd')).pagination).toMatchObject({ totalCount: 1000, more: true })
    expect(await ask('crowd bpm:124')).toMatchObject({ exact_count: 990, pagination: { totalCount: 1000, more: true } })
    expect(await ask('crowd bpm:124', { page: 44 })).toMatchObject({ songs: [], pagination: { totalCount: 1000 } })
    expect((await wholeRow('crowd bpm:124')).filter(([, , tempo]) => tempo === 'half')).toHaveLength(11)
  })
})

test('the migrations give existing songs the same words as new ones', async () => {
  const { sql } = pool.ctx
  const genres = [await aGenre(pool.ctx, 'House'), await aGenre(pool.ctx, 'Techno')]
  await add([
    { title: 'Again & Again (Again)', artist: '!!!' },
    { title: `Long ${'x'.repeat(70)}`, artist: "Beyoncé's Öko" },
    { title: 'Київ', artist: 'A B a', remixer: 'Someone Else' },
    { title: 'Labelled', artist: 'One', label: "Ânjuna's Deep/Deep №5 Київ" },
    { title: 'Listed', artist: 'Two', genres, year: 2019, min_bpm: 127.5 },
    { title: 'Listed and dated', artist: 'Two', genres, year: 2024 },
    { title: 'Listed and measured', artist: 'Two', genres, min_bpm: 127.4 },
  ])
  const rows = async () => [...(await sql`select entity_id, tsv::text from song_search order by entity_id`)]
  const words = async () => [
    ...(await sql`select word, df from search_word where word ~ '^(=|@|~|#t|#a|#G)' order by word`),
  ]
  await recountWords(sql)
  const before = { rows: await rows(), words: await words() }
  await sql`update song_search set tsv = ts_delete(tsv, array(select word from search_word where word ~ '^(=|@|~|#t|#a|#G)'))`
  await sql`delete from search_word where word ~ '^(=|@|~|#t|#a|#G)'`
  for (const name of ['0007-search.sql', '0036-search-labels.sql', '0069-genre-pairs.sql']) {
    const migration = readFileSync(path.join(projectRoot, 'server/migrations', name), 'utf8')
    await sql.begin((tx) => tx.unsafe(migration).simple())
  }
  expect({ rows: await rows(), words: await words() }).toEqual(before)
})
