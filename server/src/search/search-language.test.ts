import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  const house = await aGenre(ctx, 'House')
  const afro = await aGenre(ctx, 'Afro House', { parent_id: house })
  const trance = await aGenre(ctx, 'Trance')
  const late = await aGenre(ctx, 'Late Night', { kind: 'mood' })
  await addPlainSongs(ctx.sql, [
    {
      title: 'One More Time',
      artist: 'Daft Punk',
      min_bpm: 123,
      song_key: 'D',
      year: 2000,
      genres: [house],
      versions: ['Clean', 'Intro Clean'],
    },
    {
      title: 'Time After Time',
      artist: 'Lauper',
      min_bpm: 130,
      song_key: 'C',
      year: 1983,
      genres: [trance],
      versions: ['Dirty'],
    },
    {
      title: 'Daft Love',
      artist: 'Punk Time',
      min_bpm: 62,
      song_key: 'Am',
      year: 2010,
      genres: [afro],
      versions: ['Clean'],
    },
    {
      title: 'Anti-Hero',
      artist: 'Taylor',
      remixer: 'Kungs',
      min_bpm: 97,
      song_key: 'Em',
      year: 2022,
      genres: [late],
      versions: ['Clean'],
    },
    { title: 'Anti Love (Radio Edit)', artist: 'Hero', min_bpm: 175, song_key: 'G', year: 1995, versions: ['Dirty'] },
    { title: 'Re-Edit 12:30', artist: 'Nobody', song_key: 'F#m', versions: ['Intro Dirty'] },
  ])
})
afterAll(() => pool.close())

type Filters = Partial<Parameters<typeof pool.ask<typeof catalogue.searchSongs>>[1]>
const ask = (searchTerm: string, more: Filters = {}, token?: string) =>
  pool.ask(catalogue.searchSongs, { searchTerm, ...more }, token)
const find = async (searchTerm: string, more: Filters = {}, token?: string) =>
  (await ask(searchTerm, more, token)).songs.map((song) => song.title)
const meanings = async (searchTerm: string) => (await ask(searchTerm)).understood.map(({ meaning }) => meaning)
const form = (fields: Partial<Record<'title' | 'artist' | 'bpm' | 'song_key' | 'year', string>>): Filters => ({
  SongEntitySearch: { title: '', artist: '', bpm: '', song_key: '', year: '', ...fields },
})

describe('fields', () => {
  test('title: finds words of the title only, artist: of the artist only', async () => {
    expect(await find('title:daft')).toEqual(['Daft Love'])
    expect(await find('artist:daft')).toEqual(['One More Time'])
    expect(await find('artist:"daft punk"')).toEqual(['One More Time'])
    expect(await find('title:time artist:punk')).toEqual(['One More Time'])
  })

  test('works the same for the fields of the form', async () => {
    expect(await find('', form({ title: 'time' }))).toEqual(['Time After Time', 'One More Time'])
    expect(await find('', form({ artist: 'time' }))).toEqual(['Daft Love'])
    expect(await find('', form({ title: 'love', artist: 'hero' }))).toEqual(['Anti Love (Radio Edit)'])
  })

  test('allows a typo and a prefix within the field, not across it', async () => {
    expect(await find('artist:dfat')).toEqual(['One More Time'])
    expect(await find('artist:taylo')).toEqual(['Anti-Hero'])
    expect(await find('title:taylro')).toEqual([])
  })
})

describe('filters in the text', () => {
  test('tempo, year, key, genre and version', async () => {
    expect(await find('bpm:120-130')).toEqual(['Time After Time', 'One More Time', 'Daft Love'])
    expect(await find('bpm:>123 bpm:<=130')).toEqual(['Time After Time', 'Daft Love'])
    expect(await find('year:<1995')).toEqual(['Time After Time'])
    expect(await find('year:1995-2000')).toEqual(['Anti Love (Radio Edit)', 'One More Time'])
    expect(await find('key:8A,8B')).toEqual(['Daft Love', 'Time After Time'])
    expect(await find('KEY:Am')).toEqual(['Daft Love'])
    expect(await find('~key:8A')).toEqual(['Anti-Hero', 'Daft Love', 'Time After Time'])
    expect(await find('version:clean')).toEqual(['Anti-Hero', 'Daft Love', 'One More Time'])
    expect(await find('version:"intro clean"')).toEqual(['One More Time'])
  })

  test('finds a genre by its exact name first, else every genre that has the words, including moods', async () => {
    expect(await find('genre:house')).toEqual(['Daft Love', 'One More Time'])
    expect(await find('genre:afro')).toEqual(['Daft Love'])
    expect(await find('genre:night')).toEqual(['Anti-Hero'])
    expect(await meanings('genre:house genre:afro')).toEqual(['genre House', 'genre Afro House'])
  })

  test('combines with the filters of the form, which accept the same notation', async () => {
    expect(await find('genre:house', form({ year: '<2005' }))).toEqual(['One More Time'])
    expect(await find('', form({ bpm: '>=130' }))).toEqual(['Anti Love (Radio Edit)', 'Time After Time'])
    expect(await find('', form({ song_key: '~8A' }))).toEqual(['Anti-Hero', 'Daft Love', 'Time After Time'])
    expect(await find('bpm:>100', form({ bpm: '<100' }))).toEqual([])
  })

  test('finds a tempo between two whole numbers at the nearer one', async () => {
    await addPlainSongs(pool.ctx.sql, [{ title: 'Drifting', artist: 'Analysed', min_bpm: 151.3 }])
    expect(await find('bpm:151')).toEqual(['Drifting'])
    expect(await find('bpm:152')).toEqual([])
  })
})

describe('exclusions', () => {
  test('exclude words, phrases and operators with a hyphen before them', async () => {
    expect(await find('love -daft')).toEqual(['Anti Love (Radio Edit)'])
    expect(await find('love -"radio edit"')).toEqual(['Daft Love'])
    expect(await find('time -genre:trance')).toEqual(['Daft Love', 'One More Time'])
    expect(await find('time -key:8B -version:"intro clean"')).toEqual(['Daft Love'])
    expect(await find('time -artist:punk')).toEqual(['Time After Time'])
    expect(await find('love -~key:8A')).toEqual(['Anti Love (Radio Edit)'])
    expect(await find('time -bpm:120-130 -year:1983')).toEqual(['Daft Love'])
  })

  test('list the section without the excluded words when there are no others', async () => {
    const all = await ask('-zzzz')
    const without = await ask('-time')
    expect(without.pagination.totalCount).toBe(all.pagination.totalCount - 3)
    expect(without.songs.map((song) => song.title)).not.toContain('One More Time')
    expect(without.songs.every(({ found }) => found.words === 'exact')).toBe(true)
  })

  test('ignore a hyphen inside a word', async () => {
    expect(await find('anti-hero')).toEqual(['Anti-Hero', 'Anti Love (Radio Edit)'])
    expect(await find('re-edit')).toEqual(['Re-Edit 12:30'])
  })
})

describe('a phrase', () => {
  test('matches consecutive words within the artist, the title or the remix', async () => {
    expect(await find('"anti hero"')).toEqual(['Anti-Hero'])
    expect(await find('"more time"')).toEqual(['One More Time'])
    expect(await find('"time more"')).toEqual([])
    expect(await find('"punk one"')).toEqual([])
    expect(await find('“radio edit”')).toEqual(['Anti Love (Radio Edit)'])
  })

  test('matches only whole words, without fuzzy matching', async () => {
    expect(await find('"ore time"')).toEqual([])
    expect(await find('"more tim"')).toEqual([])
  })
})

describe('downloaded songs', () => {
  test('are left out for that member, and for nobody else', async () => {
    const { ctx } = pool
    const [one, other] = [await aMember(ctx), await aMember(ctx)]
    const version = await ctx.sql<{ song_version_id: number }[]>`
      select song_version_id from song_version v join song using (entity_id) where title = 'One More Time' order by 1 limit 1`
    await ctx.sql`insert into download_grant (customer_id, song_version_id, used, allowed)
      values (${one.customer_id}, ${version[0]?.song_version_id ?? 0}, 1, 2)`
    const all = ['Daft Love', 'Time After Time', 'One More Time']
    expect(await find('time', { not_downloaded: true }, one.token)).toEqual(all.slice(0, 2))
    expect(await find('time not:downloaded', {}, one.token)).toEqual(all.slice(0, 2))
    expect(await find('time -not:downloaded', {}, one.token)).toEqual(all.slice(2))
    expect(await find('time', {}, one.token)).toEqual(all)
    expect(await find('time not:downloaded', {}, other.token)).toEqual(all)
    expect(await find('time', { not_downloaded: true })).toEqual(all)
    await ctx.sql`update download_grant set used = 0`
    expect(await find('time not:downloaded', {}, one.token)).toEqual(all)
  })
})

describe('the explanation of a query', () => {
  test('describes each part, with the text as it was typed', async () => {
    expect(
      await meanings('midnight bpm:120-126 key:8A ~key:8A genre:House version:"intro clean" year:<2000 artist:beyonce'),
    ).toEqual([
      '“midnight”',
      'BPM 120 to 126',
      'key 8A',
      'keys compatible with 8A: 7A, 8A, 8B, 9A',
      'genre House',
      'version Intro Clean',
      'year before 2000',
      'artist “beyonce”',
    ])
    expect(await meanings('bpm:>120 bpm:124 year:>=2010 key:Am,C title:sun "one more" not:downloaded')).toEqual([
      'BPM above 120',
      'BPM 124',
      'year after 2009',
      'key Am or C',
      'title “sun”',
      'exactly “one more”',
      'not downloaded',
    ])
    expect(await meanings('-remix -genre:trance -"radio edit" -key:8A -version:dirty -artist:x')).toEqual([
      'without “remix”',
      'excluding genre Trance',
      'without “radio edit”',
      'not key 8A',
      'without version Intro Dirty or Dirty',
      'without artist “x”',
    ])
    expect((await ask('time  -Genre:"Trance"')).understood[1]).toEqual({
      kind: 'genre',
      source: '-Genre:"Trance"',
      meaning: 'excluding genre Trance',
    })
  })

  test('leaves out incomplete parts and the filters of the form', async () => {
    expect(await meanings('time - key: genre: ""')).toEqual(['“time”'])
    expect((await ask('time', form({ bpm: '120' }))).understood).toHaveLength(1)
  })
})

describe('invalid queries', () => {
  test.each([
    ['genre:hose', 'No genre matches “hose”. Did you mean House?'],
    ['-genre:transe', 'No genre matches “transe”. Did you mean Trance?'],
    ['genre:polkamusic', 'No genre matches “polkamusic”. Try House, Trance or Afro House.'],
    ['version:"intro clen"', 'No version matches “intro clen”. Did you mean Intro Clean?'],
    ['key:13A', '“13A” isn’t a valid key. Use 8A, 1m or Am.'],
    ['bpm:fast', 'BPM must be a number or a range between 20 and 400, for example 124, 120-126, >120 or <100.'],
    ['bpm:19', 'BPM must be'],
    ['bpm:126-120', 'BPM must be'],
    ['bpm:>400', 'BPM must be'],
    [
      'year:1800',
      'Year must be a number or a range between 1900 and 2100, for example 2020, 1990-1999, >2015 or <2000.',
    ],
    ['not:liked', 'Only “downloaded” can follow “not:”, as in not:downloaded.'],
  ])('refuses %s and suggests what to enter', async (text, sentence) => {
    const refused = await errorOf(ask(text))
    expect(refused).toMatchObject({ status: 422, code: 'invalid_filter' })
    expect(refused.message).toContain(sentence)
  })

  test('treats an unknown operator as plain words', async () => {
    expect(await find('12:30')).toEqual(['Re-Edit 12:30'])
    expect(await meanings('foo:bar http://x')).toEqual(['“foo:bar”', '“http://x”'])
  })

  test('accepts a text of only operators, and refuses two letters', async () => {
    expect(await find('title:re')).toEqual(['Re-Edit 12:30'])
    expect(await errorOf(ask('ti'))).toMatchObject({ code: 'query_too_short' })
    expect(await find('ti', form({ year: '2000' }))).toEqual(['One More Time'])
  })

  test.each([
    '"',
    '"""""',
    "';--",
    '\\\\\\',
    ':*&|!()<->',
    "time:* & !'more",
    '-"unclosed phrase',
    'artist:"\\',
    "title:'\"'",
    '🎧🎧🎧',
    '-🎧 time 🎵',
    '~~~---',
    '-- -',
    'a'.repeat(200),
    `"${'a b '.repeat(49)}`,
    `-${'é'.repeat(199)}`,
    'time%_%',
    '"%_%" "time_"',
    '\u0001time',
    'ͺͺͺ title:ͺ',
    '½½½ key:',
    '-a -b -c -d -e -f -g -h -i -j -k -l -m -n -o -p -q -r -s -t -u -v -w',
    Array.from({ length: 66 }, (_, n) => n % 10).join(' '),
  ])('%j returns results or an API error, never a server error', async (text) => {
    const response = await pool.request(catalogue.searchSongs, { searchTerm: text })
    expect([200, 422]).toContain(response.statusCode)
    const typed = await pool.request(catalogue.suggestSearch, { text })
    expect(typed.statusCode).toBe(200)
  })
})
