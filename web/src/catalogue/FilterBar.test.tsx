import { catalogue, charts, library, playlists, spotlights } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, songList, titlesIn } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, singlePage } from '../../test/samples.ts'
import { usePreferences } from '../platform/preferences.ts'
import { playerActions, usePlayer } from '../player/store.ts'

const bar = page.getByRole('group', { name: 'Filters' })
const panel = (name: string) => page.getByRole('dialog', { name, exact: true })
const pill = (name: string | RegExp) => bar.getByRole('button', { name, exact: true })
const list = songList('New releases')

const songs = [
  makeSong({ title: 'Atlas', song_key: 'Am' }),
  makeSong({ title: 'Beacon', song_key: 'C' }),
  makeSong({ title: 'Cinder', song_key: 'F#' }),
]

const lastFilter = () => fakeApi.inputsOf(catalogue.getNewRelease).at(-1)?.filter
const optionsAsked = () => fakeApi.inputsOf(catalogue.getFilterOptions)

beforeEach(() => {
  fakeApi.reply(catalogue.getNewRelease, ({ filter }) => {
    const found = filter?.year === '1901' ? [] : filter ? songs.slice(0, 1) : songs
    return { songs: found, pagination: singlePage(found.length) }
  })
  fakeApi.reply(catalogue.getFilterOptions, {
    versions: [
      { version_code: 'clean', name: 'Clean', count: 12 },
      { version_code: 'intro_clean', name: 'Intro Clean', count: 7 },
    ],
    genres: [
      { genre_id: 31, name: 'House', count: 33 },
      { genre_id: 45, name: 'Techno', count: 9 },
    ],
    years: Array.from({ length: 12 }, (_, n) => ({ year: 2026 - n, count: 30 - n })),
    keys: [{ key: 'Am', count: 4 }],
    more: false,
  })
})

test('applies a BPM range at once, stores it in the URL, and clears it', async () => {
  await openApp('/newRelease')
  await expect.poll(() => titlesIn(list)).toEqual(['Atlas', 'Beacon', 'Cinder'])
  expect(lastFilter()).toBeUndefined()
  await expect.element(bar.getByText('3 songs')).toBeVisible()
  await pill('BPM').click()
  await panel('BPM').getByRole('button', { name: '122–128' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?bpm=122-128')
  await expect.poll(() => titlesIn(list)).toEqual(['Atlas'])
  expect(lastFilter()).toEqual({ bpm: '122-128' })
  await expect.element(bar.getByText('1 song')).toBeVisible()
  await panel('BPM').getByRole('textbox', { name: 'Highest BPM' }).fill('126')
  await expect.poll(currentUrl).toBe('/newRelease?bpm=122-126')
  await panel('BPM').getByRole('textbox', { name: 'Lowest BPM' }).fill('130')
  await expect.poll(currentUrl).toBe('/newRelease?bpm=122-126')
  await userEvent.keyboard('{Escape}')
  await expect.element(panel('BPM')).not.toBeInTheDocument()
  await expect.element(pill('BPM 122–126')).toHaveFocus()
  history.back()
  await expect.element(pill('BPM 122–128')).toBeVisible()
  await pill('Clear BPM').click()
  await expect.poll(currentUrl).toBe('/newRelease')
  await expect.poll(() => titlesIn(list)).toEqual(['Atlas', 'Beacon', 'Cinder'])
})

test('applies the slider when it is released', async () => {
  await openApp('/newRelease?bpm=100-120')
  await pill('BPM 100–120').click()
  const thumb = panel('BPM').getByRole('slider', { name: 'Highest BPM, slider' })
  await expect.element(thumb).toHaveValue('120')
  ;(thumb.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(currentUrl).toBe('/newRelease?bpm=100-121')
})

test('moves round the key wheel with the arrow keys and chooses with the space bar', async () => {
  await openApp('/newRelease')
  await pill('Key').click()
  const key = (name: string) => panel('Key').getByRole('radio', { name })
  await expect.element(key('8A, 4 songs')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(key('9A, 0 songs')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(key('9B, 0 songs')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}{ArrowDown} ')
  await expect.poll(currentUrl).toBe('/newRelease?key=%7E8A')
  expect(lastFilter()).toEqual({ key: '~8A' })
  await expect.element(pill('Key 8A and compatible')).toBeVisible()
  expect(
    panel('Key')
      .getByRole('radio')
      .elements()
      .filter((each) => each.getAttribute('data-state') === 'compatible')
      .map((each) => each.getAttribute('data-key'))
      .sort(),
  ).toEqual(['7A', '8B', '9A'])
  await panel('Key').getByRole('checkbox', { name: 'Include compatible keys' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?key=8A')
  await key('8A, 4 songs').click()
  await expect.poll(currentUrl).toBe('/newRelease')
})

test('writes keys in the chosen notation', async () => {
  usePreferences.setState({ notation: 'musical' })
  await openApp('/newRelease?key=8A')
  await expect.element(pill('Key Am')).toBeVisible()
})

test('offers versions, genres and years with their counts, and searches long lists', async () => {
  await openApp('/newRelease')
  await pill('Version').click()
  await panel('Version').getByRole('checkbox', { name: 'Intro Clean 7' }).click()
  await panel('Version').getByRole('checkbox', { name: 'Clean 12', exact: true }).click()
  await expect.poll(currentUrl).toBe('/newRelease?versions=intro_clean%2Cclean')
  expect(lastFilter()).toEqual({ versions: ['intro_clean', 'clean'] })
  await expect.element(pill('Version Intro Clean +1')).toBeVisible()
  expect(panel('Version').getByRole('searchbox').elements()).toEqual([])
  await pill('Year').click()
  await expect.element(panel('Version')).not.toBeInTheDocument()
  await panel('Year').getByRole('searchbox').fill('2020')
  await panel('Year').getByRole('checkbox').click()
  await expect.poll(currentUrl).toBe('/newRelease?versions=intro_clean%2Cclean&year=2020')
  await pill('Clear').click()
  await expect.poll(currentUrl).toBe('/newRelease')
})

test('one genre is the genre of the chips; several are a filter', async () => {
  await openApp('/newRelease')
  await pill('Genre').click()
  await panel('Genre').getByRole('checkbox', { name: 'House 33' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?genre=31')
  await expect.element(pill('Genre House')).toBeVisible()
  await panel('Genre').getByRole('checkbox', { name: 'Techno 9' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?genres=31%2C45')
  expect(lastFilter()).toEqual({ genres: [31, 45] })
  expect(optionsAsked().at(-1)).toMatchObject({ list: 'new_releases', filter: { genres: [31, 45] } })
})

test('loads the counts only when a panel needs them', async () => {
  await openApp('/newRelease?bpm=122-128')
  await pill('BPM 122–128').click()
  await expect.element(panel('BPM')).toBeVisible()
  expect(optionsAsked()).toEqual([])
  await pill('Version').click()
  await expect.element(panel('Version').getByRole('checkbox', { name: 'Intro Clean 7' })).toBeVisible()
  expect(optionsAsked()).toMatchObject([{ list: 'new_releases', filter: { bpm: '122-128' } }])
})

test('offers members what they have not downloaded and do not have, with an explanation', async () => {
  signInAs(makeProfile())
  await openApp('/newRelease')
  await pill('Not downloaded').click()
  await expect.poll(currentUrl).toBe('/newRelease?fresh=1')
  await expect.element(pill('Not saved')).toHaveAttribute('title', expect.stringContaining('your playlists'))
  await pill('Not saved').click()
  await expect.poll(lastFilter).toEqual({ not_downloaded: true, not_in_library: true })
  await expect.element(pill('Not downloaded')).toHaveAttribute('aria-pressed', 'true')
})

test('offers visitors neither', async () => {
  await openApp('/newRelease?fresh=1')
  await expect.element(pill('BPM')).toBeVisible()
  await expect.element(pill('Not downloaded')).not.toBeInTheDocument()
  expect(lastFilter()).toBeUndefined()
})

test('follows the playing song with “Fits what’s playing”', async () => {
  const [first, second] = [makeSong(), makeSong()]
  await openApp('/newRelease?fits=1')
  await expect.poll(() => titlesIn(list)).toEqual(['Atlas', 'Beacon', 'Cinder'])
  await expect.element(pill('Fits what’s playing')).toHaveAttribute('title', 'Play a song to see what fits.')
  playerActions.play({ song: first, version: first.version[0]! })
  await expect.poll(lastFilter).toEqual({ fits: first.entity_id })
  playerActions.play({ song: second, version: second.version[0]! })
  await expect.poll(lastFilter).toEqual({ fits: second.entity_id })
  expect(currentUrl()).toBe('/newRelease?fits=1')
  await pill('Fits what’s playing').click()
  await expect.poll(currentUrl).toBe('/newRelease')
})

test('offers to clear filters that leave no songs', async () => {
  await openApp('/newRelease?year=1901')
  await expect.element(page.getByRole('heading', { name: 'No songs match your filters' })).toBeVisible()
  await expect.element(pill('Year 1901')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(currentUrl).toBe('/newRelease')
  await expect.poll(() => titlesIn(list)).toEqual(['Atlas', 'Beacon', 'Cinder'])
})

test('plays the filtered songs', async () => {
  fakeApi.reply(catalogue.getNewRelease, ({ filter }) => ({
    songs: filter ? songs.slice(0, 2) : songs,
    pagination: singlePage(2),
  }))
  await openApp('/newRelease?key=8A')
  await page.getByRole('button', { name: 'Play Atlas by Ada Vale' }).first().click()
  await expect.poll(() => usePlayer.getState().list.map(({ song }) => song.title)).toEqual(['Atlas', 'Beacon'])
})

test('shows all filters in a sheet on a phone', async () => {
  await page.viewport(390, 844)
  await openApp('/newRelease?bpm=118-128')
  await pill('Filters 1').click()
  const sheet = panel('Filters')
  await expect.element(sheet.getByRole('radiogroup', { name: 'Key' })).toBeVisible()
  await sheet.getByRole('checkbox', { name: 'Intro Clean 7' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?bpm=118-128&versions=intro_clean')
  await expect.element(sheet.getByRole('button', { name: 'Show 1 song' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(currentUrl).toBe('/newRelease')
  await sheet.getByRole('button', { name: 'Show 3 songs' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
})

const member = () => signInAs(makeProfile())
const one = { songs: songs.slice(0, 1), pagination: singlePage(1) }
const ranked = { ...one, songs: one.songs.map((song) => ({ ...song, rank: 1, downloads: 4, rank_before: null })) }

test.each([
  ['/charts', charts.getChart, () => fakeApi.reply(charts.getChart, ranked)],
  ['/spotlight/view/7', spotlights.getSpotlightSongs, () => fakeApi.reply(spotlights.getSpotlightSongs, one)],
  ['/top20/songs/7', charts.getTop20Songs, () => fakeApi.reply(charts.getTop20Songs, ranked)],
  [
    '/genres/view/7',
    catalogue.genreSongs,
    () => fakeApi.reply(catalogue.genreSongs, { ...one, genre: { genre_id: 7, name: 'House' } }),
  ],
  ['/playlist/7', playlists.viewPlaylist, () => fakeApi.reply(playlists.viewPlaylist, one)],
  ['/crate', library.crateIndex, () => fakeApi.reply(library.crateIndex, one)],
  ['/favourite-songs', library.favouriteIndex, () => fakeApi.reply(library.favouriteIndex, one)],
  [
    '/search/result',
    catalogue.searchSongs,
    () => fakeApi.reply(catalogue.searchSongs, { songs: [], pagination: { ...singlePage(0), more: false } }),
  ],
] as const)('filters %s by what is in the URL', async (address, call, reply) => {
  member()
  reply()
  await openApp(`${address}?genres=3%2C4&notInLibrary=1`)
  await expect
    .poll(() => fakeApi.inputsOf(call as typeof catalogue.genreSongs).at(-1)?.filter)
    .toMatchObject({ genres: [3, 4], not_in_library: true })
  await expect.element(pill('Not saved')).toHaveAttribute('aria-pressed', 'true')
  const hasGenre = bar.getByRole('button', { name: /^Genre/ }).elements().length > 0
  expect(hasGenre).toBe(address !== '/genres/view/7')
})
