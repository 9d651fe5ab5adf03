import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { saveGenre } from '../catalogue/genre-tree-changes.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  const house = await aGenre(ctx, 'House')
  const deep = await aGenre(ctx, 'Deep House', { parent_id: house })
  const hipHop = await aGenre(ctx, 'Hip-Hop')
  const drumAndBass = await aGenre(ctx, 'Drum & Bass')
  const rnb = await aGenre(ctx, 'R&B')
  const late = await aGenre(ctx, 'Late Night', { kind: 'mood' })
  await addPlainSongs(ctx.sql, [
    { title: 'Brick House', artist: 'Commodore', min_bpm: 98, song_key: 'C' },
    { title: 'Velvet', artist: 'The Velvet Hours', min_bpm: 100, song_key: 'C' },
    { title: 'Sunset', artist: 'Mira', genres: [house], min_bpm: 124, song_key: 'Am', versions: ['Intro Clean'] },
    { title: 'Below', artist: 'Mira', genres: [deep, house], min_bpm: 121, song_key: 'F#m', label: 'Anjuna Deep' },
    { title: 'Corner', artist: 'Tee', genres: [hipHop], min_bpm: 92, versions: ['Dirty'], remixer: 'Sandstorm' },
    { title: 'Roller', artist: 'Nova', genres: [drumAndBass], min_bpm: 174 },
    { title: 'Slow Burn', artist: 'Ana', genres: [rnb, late], min_bpm: 70 },
    { title: 'Route 124', artist: 'Driver', min_bpm: 90 },
    { title: '124', artist: 'Numbers', min_bpm: 80 },
    { title: 'Anjuna', artist: 'Beach', min_bpm: 110 },
    { title: 'Who I Am', artist: 'Someone', min_bpm: 77, song_key: 'D' },
  ])
})
afterAll(() => pool.close())

const ask = (searchTerm: string) => pool.ask(catalogue.searchSongs, { searchTerm })
const find = async (searchTerm: string) => (await ask(searchTerm)).songs.map(({ title }) => title)
const marks = async (searchTerm: string) =>
  (await ask(searchTerm)).songs.map(({ title, found }) => [title, found.words] as const)

describe('a word', () => {
  test('finds the songs of a genre after those with the word in title or artist', async () => {
    expect(await marks('house')).toEqual([
      ['Brick House', 'exact'],
      ['Below', 'exact'],
      ['Sunset', 'exact'],
    ])
    expect(await ask('house')).toMatchObject({ exact_count: 3, pagination: { totalCount: 3 } })
  })

  test('finds sub-genres, moods, labels, remixers and versions', async () => {
    expect(await find('deep house')).toEqual(['Below'])
    expect(await find('late night')).toEqual(['Slow Burn'])
    expect(await find('anjuna')).toEqual(['Anjuna', 'Below'])
    expect(await find('sandstorm')).toEqual(['Corner'])
    expect(await find('house intro clean')).toEqual(['Sunset'])
    expect(await find('mira house')).toEqual(['Below', 'Sunset'])
  })

  test.each([
    ['hip hop', 'Corner'],
    ['hip-hop', 'Corner'],
    ['HipHop', 'Corner'],
    ['drum and bass', 'Roller'],
    ['drum & bass', 'Roller'],
    ['drum n bass', 'Roller'],
    ['dnb', 'Roller'],
    ['d&b', 'Roller'],
    ['rnb', 'Slow Burn'],
    ['r&b', 'Slow Burn'],
    ['r and b', 'Slow Burn'],
  ])('%s finds its genre', async (text, title) => {
    expect(await find(text)).toEqual([title])
  })

  test('for songs beside a genre is part of its name', async () => {
    expect(await marks('hip hop music')).toEqual([['Corner', 'exact']])
    expect(await marks('house tracks')).toEqual([
      ['Below', 'exact'],
      ['Sunset', 'exact'],
    ])
  })

  test('in quotes is only a word, and no genre', async () => {
    expect(await find('"house"')).toEqual(['Brick House'])
  })

  test('that begins a genre comes before similar words', async () => {
    expect(await marks('hous')).toEqual([
      ['Below', 'partial'],
      ['Sunset', 'partial'],
      ['Brick House', 'partial'],
      ['Velvet', 'similar'],
    ])
  })

  test('one typo away from a genre finds its songs', async () => {
    expect(await marks('huose')).toEqual([
      ['Below', 'similar'],
      ['Sunset', 'similar'],
      ['Brick House', 'similar'],
    ])
    expect(await marks('hihop')).toEqual([['Corner', 'similar']])
  })

  test('follows a change of the genre name at once, and the former name still finds it', async () => {
    const { sql } = pool.ctx
    const [genre] = await sql<{ genre_id: number; version: number }[]>`
      select genre_id, version from genre where name = 'Drum & Bass'`
    await sql.begin((tx) =>
      saveGenre(tx, { kind: 'genre', parent_id: null, home_chip: false, ...genre, name: 'Jungle' }),
    )
    expect(await find('jungle')).toEqual(['Roller'])
    expect(await find('drum and bass')).toEqual(['Roller'])
  })
})

describe('label:', () => {
  test('finds words of the label only', async () => {
    expect(await find('label:anjuna')).toEqual(['Below'])
    expect(await find('label:"anjuna deep"')).toEqual(['Below'])
    expect(await find('label:anj')).toEqual(['Below'])
    expect(await find('label:mira')).toEqual([])
    expect(await find('anjuna -label:anjuna')).toEqual(['Anjuna'])
    expect((await ask('label:anjuna')).understood).toEqual([
      { kind: 'label', source: 'label:anjuna', meaning: 'label “anjuna”' },
    ])
  })
})

describe('a bare number from 60 to 200', () => {
  test('means a tempo; a title that is exactly the number comes first, other titles with it are found too', async () => {
    expect(await find('124')).toEqual(['124', 'Route 124', 'Sunset'])
    expect(await find('house 124')).toEqual(['Sunset'])
    expect(await find('70')).toEqual(['Slow Burn'])
    expect((await ask('house 124')).understood.map(({ meaning }) => meaning)).toEqual(['“house”', '“124” or 124 BPM'])
  })

  test('may have a unit or be a range', async () => {
    expect(await find('124 bpm')).toEqual(['Sunset'])
    expect(await find('124bpm')).toEqual(['Sunset'])
    expect(await find('house 120-125')).toEqual(['Below', 'Sunset'])
    expect((await ask('house 120-125')).understood[1]?.meaning).toBe('“120-125” or 120–125 BPM')
    expect(await find('125-120')).toEqual([])
  })

  test('of four digits means a year', async () => {
    await addPlainSongs(pool.ctx.sql, [{ title: 'Millennium', artist: 'Ana', year: 1999 }])
    expect(await find('1999')).toEqual(['Millennium'])
    expect(await find('ana 1999')).toEqual(['Millennium'])
    expect((await ask('ana 1999')).understood[1]?.meaning).toBe('“1999” or year 1999')
  })

  test('means only itself below 60, above 200 and in quotes', async () => {
    expect(await errorOf(ask('59'))).toMatchObject({ code: 'query_too_short' })
    expect(await find('201')).toEqual([])
    expect(await find('"124"')).toEqual(['124', 'Route 124'])
  })
})

describe('a key', () => {
  test.each([
    ['8A', ['Sunset']],
    ['1m', ['Sunset']],
    ['Am', ['Sunset']],
    ['A minor', ['Sunset']],
    ['F#m', ['Below']],
    ['f# minor', ['Below']],
    ['11A', ['Below']],
    ['house Am', ['Sunset']],
    ['8A 124', ['Sunset']],
  ])('%s finds its songs', async (text, titles) => {
    expect((await find(text)).filter((title) => title !== 'Who I Am')).toEqual(titles)
  })

  test('may be in small letters beside a genre or a tempo', async () => {
    expect(await marks('house am')).toEqual([['Sunset', 'exact']])
    expect(await marks('124 am')).toEqual([['Sunset', 'exact']])
  })

  test('in small letters is a word when there are other words', async () => {
    expect(await find('who am')).toEqual(['Who I Am'])
    expect(await ask('mira am')).toMatchObject({ exact_count: 0 })
    expect(await errorOf(ask('ab'))).toMatchObject({ code: 'query_too_short' })
  })
})

describe('a song with a version that it does not have', () => {
  test('comes before songs that have the version', async () => {
    expect((await find('sunset dirty'))[0]).toBe('Sunset')
    expect((await find('slow burn intro clean'))[0]).toBe('Slow Burn')
  })
})

describe('corrections of a search without results', () => {
  const correct = async (text: string) => (await ask(text)).did_you_mean

  test('are the nearest genres, artists and spelling', async () => {
    expect((await correct('deephowze')).genres.map(({ name }) => name)).toEqual(['Deep House'])
    expect((await correct('comodorre')).artists).toEqual(['Commodore'])
    expect((await correct('sandtorrm')).terms).toEqual(['sandstorm'])
  })

  test('are given too when songs have all words but one', async () => {
    expect(await marks('late nihhgts')).toEqual([['Slow Burn', 'partial']])
    expect((await correct('late nihhgts')).genres.map(({ name }) => name)).toEqual(['Late Night'])
  })

  test('offer the genre that one word nearly names, or that begins like it', async () => {
    expect((await correct('huose zzzzzz')).genres.map(({ name }) => name)).toContain('House')
    expect((await correct('hous zzzzzz')).genres.map(({ name }) => name)).toContain('House')
    expect((await correct('deepness')).genres.map(({ name }) => name)).toEqual(['Deep House'])
    expect((await correct('hours zzzzzz')).genres).toEqual([])
    expect((await correct('a cappella')).genres).toEqual([])
  })

  test('do not correct one word and drop another', async () => {
    expect((await correct('zzzzzzzz sandtorrm')).terms).toEqual([])
    expect((await correct('zzzzzzzz sandstorm')).terms).toEqual(['sandstorm'])
  })

  test('keep the words that name a genre', async () => {
    expect((await correct('house sandtorrm')).terms).toEqual([])
    expect((await correct('hip hop sandtorrm')).terms).toEqual(['hip hop sandstorm'])
  })

  test('are none when there are results, or nothing is similar', async () => {
    const none = { genres: [], artists: [], terms: [] }
    expect(await correct('house')).toEqual(none)
    expect(await correct('zzzzzzzz')).toEqual(none)
  })
})
