import { catalogue, playlists, site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, rowOf, searchBox, songList, titlesIn } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSong } from '../../test/samples.ts'
import { queryClient } from '../platform/queries.ts'

const results = songList('Search results')
const filters = page.getByRole('group', { name: 'Filters' })
const pieces = page.getByRole('list', { name: 'Search terms' }).getByRole('listitem')
const dividers = results.getByRole('row').filter({ hasNot: page.getByTestId('song-title') })

type SearchReply = catalogue.FoundSong['found']

const makeFind = (part: Partial<catalogue.Song> = {}, searchReply: Partial<SearchReply> = {}): catalogue.FoundSong => ({
  ...makeSong(part),
  found: { words: 'exact', tempo: 'same', ...searchReply },
})

const isExact = ({ found: searchReply }: catalogue.FoundSong) =>
  searchReply.words === 'exact' && searchReply.tempo === 'same'

const pageOf = (songs: catalogue.FoundSong[]) => ({
  songs,
  exact_count: songs.filter(isExact).length,
  pagination: { page: 1, perPageLimit: 24, totalCount: songs.length, more: false },
})

const textsOf = (locator: typeof pieces) => locator.elements().map(({ textContent }) => textContent)

const lastSearch = () => fakeApi.inputsOf(catalogue.searchSongs).at(-1)

test('names the term in the heading and the tab title', async () => {
  const song = makeFind()
  fakeApi.reply(site.getPool, { name: 'Dubplate' })
  fakeApi.reply(catalogue.searchSongs, pageOf([song]))
  await openApp('/search/result/harbour')
  await expect.element(rowOf(song, results)).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Results for “harbour”')
  await expect.poll(() => document.title).toBe('Results for “harbour” · Dubplate')
  await expect.poll(() => dividers.elements().length).toBe(1)
  await expect.element(page.getByText('No exact matches')).not.toBeInTheDocument()
  // The filter bar shows the number of results, so the heading does not repeat it.
  await expect.poll(() => page.getByText('1 song', { exact: true }).elements().length).toBe(1)
})

test('marks songs that match the words only approximately', async () => {
  const song = makeFind({}, { words: 'similar' })
  fakeApi.reply(catalogue.searchSongs, pageOf([song]))
  await openApp('/search/result/habrour')
  await expect.element(page.getByText('No exact matches. Showing 1 similar result.')).toBeVisible()
  await expect.element(results.getByRole('row', { name: 'Close matches' })).toBeVisible()
  await expect.element(rowOf(song, results)).toBeVisible()
})

test('lists songs at half and double the tempo below the others, marked', async () => {
  const same = makeFind({ title: 'At the tempo' })
  const half = makeFind({ title: 'Twice as slow' }, { tempo: 'half' })
  const double = makeFind({ title: 'Twice as fast' }, { tempo: 'double' })
  fakeApi.reply(catalogue.searchSongs, pageOf([same, half, double]))
  await openApp('/search/result/bpm:124')
  await expect.element(rowOf(half, results)).toHaveTextContent('Half the tempo you searched for')
  await expect.element(rowOf(double, results)).toHaveTextContent('Double the tempo you searched for')
  await expect.element(rowOf(same, results)).not.toHaveTextContent('the tempo you searched for')
  const divider = results.getByRole('row', { name: 'Half or double tempo' })
  await expect.element(divider).toBeVisible()
  expect(divider.element().nextElementSibling).toBe(rowOf(half, results).element())
})

test('keeps the filters of older links, and clears them in the bar', async () => {
  const song = makeFind()
  fakeApi.reply(catalogue.searchSongs, pageOf([song]))
  await openApp('/search/result?title=vale&artist=ada&bpm=122-126&key=8A&year=1990-1999&fresh=1')
  await expect.element(rowOf(song, results)).toBeVisible()
  expect(lastSearch()).toMatchObject({
    SongEntitySearch: { title: 'vale', artist: 'ada', bpm: '122-126', song_key: '8A', year: '1990-1999' },
    not_downloaded: true,
  })
  for (const name of ['BPM 122–126', 'Key 8A', 'Year 1990–1999'])
    await expect.element(filters.getByRole('button', { name, exact: true })).toBeVisible()
  await filters.getByRole('button', { name: 'Clear Title' }).click()
  await expect.poll(() => lastSearch()?.SongEntitySearch).toMatchObject({ title: '', artist: 'ada' })
  await filters.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(currentUrl).toBe('/search/result')
  await expect.element(page.getByRole('heading', { name: 'Search the catalogue' })).toBeVisible()
})

test('explains each part of the term and removes it on request', async () => {
  const tempo = { kind: 'bpm', source: 'bpm:120-126', meaning: 'BPM 120 to 126' } as const
  const excludedTerm = { kind: 'word', source: '-remix', meaning: 'without “remix”' } as const
  const [original, remix] = [makeFind({ title: 'Original' }), makeFind({ title: 'A remix' })]
  fakeApi.reply(catalogue.searchSongs, ({ searchTerm }) =>
    searchTerm?.includes('-remix')
      ? { ...pageOf([original]), understood: [tempo, excludedTerm] }
      : { ...pageOf([original, remix]), understood: [tempo] },
  )
  await openApp(`/search/result/${encodeURIComponent('bpm:120-126 -remix')}`)
  await expect.poll(() => textsOf(pieces)).toEqual(['BPM 120 to 126', 'without “remix”'])
  await expect.poll(() => titlesIn(results)).toEqual([original.title])
  await expect.element(searchBox).toHaveValue('bpm:120-126 -remix')

  await pieces.getByRole('button', { name: 'Remove -remix' }).click()
  await expect.poll(currentUrl).toBe(`/search/result/${encodeURIComponent('bpm:120-126')}`)
  await expect.element(searchBox).toHaveValue('bpm:120-126')
  await expect.poll(() => textsOf(pieces)).toEqual(['BPM 120 to 126'])
  await expect.poll(() => titlesIn(results)).toEqual([original.title, remix.title])
  expect(lastSearch()).toMatchObject({ searchTerm: 'bpm:120-126' })
  history.back()
  await expect.element(searchBox).toHaveValue('bpm:120-126 -remix')
})

test('explains why a filter is invalid and removes it on request', async () => {
  const message = '“99Z” isn’t a valid key. Use 8A, 1m or Am.'
  fakeApi.rejectWith(catalogue.searchSongs, { code: 'invalid_filter', message })
  await openApp('/search/result/key:99Z')
  const alert = page.getByRole('main').getByRole('alert')
  await expect.element(alert).toHaveTextContent(message)
  await expect.element(alert).toHaveTextContent('Change or remove it in your search above.')
  expect(textsOf(pieces)).toEqual(['key:99Z'])
  await pieces.getByRole('button').click()
  await expect.element(page.getByRole('heading', { name: 'Search the catalogue' })).toBeVisible()
})

test('gives advice when nothing was found', async () => {
  await openApp('/search/result/zzqxwvk')
  await expect.element(page.getByRole('heading', { name: 'No results for “zzqxwvk”' })).toBeVisible()
  await expect.element(page.getByText('Check the spelling or try fewer words.')).toBeVisible()
})

test('offers to search without filters that are too narrow', async () => {
  const song = makeFind()
  fakeApi.reply(catalogue.searchSongs, ({ SongEntitySearch }) => pageOf(SongEntitySearch?.year ? [] : [song]))
  await openApp('/search/result/vale?year=1901')
  await expect.element(page.getByText('Try removing some filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(rowOf(song, results)).toBeVisible()
  expect(currentUrl()).toBe('/search/result/vale')
})

test('offers to search without one part of the term', async () => {
  const song = makeFind()
  fakeApi.reply(catalogue.searchSongs, ({ searchTerm }) => {
    if (searchTerm === 'vale') return pageOf([song])
    if (searchTerm !== 'vale year:1901')
      throw errorReply({ code: 'invalid_filter', message: `Searched for ${searchTerm}.` })
    const understood = [
      { kind: 'word', source: 'vale', meaning: '“vale”' },
      { kind: 'year', source: 'year:1901', meaning: 'year 1901' },
    ] as const
    return { ...pageOf([]), understood: [...understood] }
  })
  await openApp('/search/result/vale year:1901')
  await page.getByRole('button', { name: 'Search without year 1901', exact: true }).click()
  await expect.element(rowOf(song, results)).toBeVisible()
  expect(currentUrl()).toBe('/search/result/vale')
})

const topHits = page.getByRole('list', { name: 'Top hits' })

test('shows genres, artists, labels, spotlights and playlists that the words may mean above the songs, as links', async () => {
  const song = makeFind({ title: 'Brick House' })
  fakeApi.reply(catalogue.searchSongs, pageOf([song]))
  fakeApi.reply(catalogue.suggestSearch, {
    genres: [
      { genre_id: 31, name: 'Deep House', song_count: 4 },
      { genre_id: 32, name: 'House', song_count: 33 },
    ],
    artists: ['House Of Cards'],
    labels: ['Warehouse'],
    spotlights: [{ curated_list_id: 7, title: 'House Classics' }],
  })
  const playlist = makePlaylist({ playlist_id: 9, title: 'My house', song_count: 2 })
  fakeApi.reply(playlists.getPlaylists, { playlists: [playlist] })
  signInAs(makeProfile())
  await openApp('/search/result/house')
  await expect
    .poll(() => textsOf(topHits.getByRole('listitem')))
    .toEqual([
      'HouseGenre · 33 songs',
      'House Of CardsArtist',
      'House ClassicsSpotlight',
      'Deep HouseGenre · 4 songs',
      'My housePlaylist · 2 songs',
      'WarehouseLabel',
    ])
  const linksOf = topHits
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'))
  expect(linksOf).toEqual([
    '/genres/view/32',
    '/artist/House%20Of%20Cards',
    '/spotlight/view/7',
    '/genres/view/31',
    '/playlist/9',
    '/label/Warehouse',
  ])
})

test.each(['before', 'after'])('songs do not move when what the words may mean arrives %s them', async (when) => {
  fakeApi.reply(catalogue.searchSongs, pageOf([makeFind({ title: 'Brick House' })]))
  fakeApi.reply(catalogue.suggestSearch, { genres: [{ genre_id: 32, name: 'House', song_count: 33 }] })
  const late = when === 'before' ? catalogue.searchSongs : catalogue.suggestSearch
  const release = fakeApi.holdReply(late)
  await openApp('/search/result/house')
  const song = results.getByRole('row', { name: 'Brick House' })
  await expect.element(when === 'before' ? topHits : song).toBeVisible()
  const top = () => filters.element().getBoundingClientRect().top
  const topWhileLoading = top()
  release()
  await expect.element(topHits).toBeVisible()
  await expect.element(song).toBeVisible()
  expect(top()).toBe(topWhileLoading)
})

test('songs do not move when there is nothing that the words may mean', async () => {
  fakeApi.reply(catalogue.searchSongs, pageOf([makeFind({ title: 'Brick House' })]))
  const release = fakeApi.holdReply(catalogue.suggestSearch)
  await openApp('/search/result/brick')
  await expect.element(results.getByRole('row', { name: 'Brick House' })).toBeVisible()
  const top = () => filters.element().getBoundingClientRect().top
  const topWhileLoading = top()
  release()
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await new Promise(requestAnimationFrame)
  expect(top()).toBe(topWhileLoading)
})

test('shows no top hits for a search of filters, and keeps no space for them', async () => {
  fakeApi.reply(catalogue.searchSongs, pageOf([makeFind()]))
  const release = fakeApi.holdReply(catalogue.searchSongs)
  await openApp('/search/result/bpm:124')
  await expect.element(filters).toBeVisible()
  const top = () => filters.element().getBoundingClientRect().top
  const topWhileLoading = top()
  release()
  await expect.element(results.getByRole('row').first()).toBeVisible()
  await expect.element(topHits).not.toBeInTheDocument()
  expect(top()).toBe(topWhileLoading)
})

test('offers the nearest genre, artist and spelling as links when nothing was found', async () => {
  const song = makeFind()
  fakeApi.reply(catalogue.searchSongs, ({ searchTerm }) =>
    searchTerm === 'sandstorm'
      ? pageOf([song])
      : {
          ...pageOf([]),
          did_you_mean: {
            genres: [{ genre_id: 31, name: 'Hip-Hop', song_count: 12 }],
            artists: ['Commodore'],
            terms: ['sandstorm'],
          },
        },
  )
  await openApp('/search/result/hpihpo')
  const advice = page.getByText('Did you mean:')
  await expect.element(advice).toHaveTextContent('Did you mean: Hip-Hop12 songsCommodoresandstorm')
  await expect.element(advice.getByRole('link', { name: /^Hip-Hop/ })).toHaveAttribute('href', '/genres/view/31')
  await advice.getByRole('link', { name: 'sandstorm' }).click()
  await expect.element(rowOf(song, results)).toBeVisible()
  await expect.element(advice).not.toBeInTheDocument()
})

test('offers the nearest names above songs that lack a word', async () => {
  const song = makeFind({}, { words: 'partial' })
  const did_you_mean = { genres: [], artists: ['Commodore'], terms: [] }
  fakeApi.reply(catalogue.searchSongs, { ...pageOf([song]), did_you_mean })
  await openApp('/search/result/comodorre live')
  await expect.element(page.getByRole('link', { name: 'Commodore' })).toBeVisible()
  await expect.element(rowOf(song, results)).toBeVisible()
})

test('leads on to the genres when nothing is similar', async () => {
  await openApp('/search/result/zzqxwvk')
  await page.getByRole('button', { name: 'Browse genres' }).click()
  await expect.poll(currentUrl).toBe('/genres/index')
})
