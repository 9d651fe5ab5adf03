import { catalogue } from '@dubplate/contract'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, playButtonOf, songList, songRows, titlesIn } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong, singlePage } from '../../test/samples.ts'
import { usePlayer } from '../player/store.ts'

const house = { genre_id: 1, name: 'House' }
const techno = { genre_id: 2, name: 'Techno' }
const songs = [
  makeSong({ title: 'Middle', min_bpm: 124 }),
  makeSong({ title: 'Slow', min_bpm: 118 }),
  makeSong({ title: 'Fast', min_bpm: 130 }),
]
const list = songList('Songs in House')
const errorMessage = page.getByRole('main').getByRole('alert').filter({ hasText: 'Couldn’t load these songs' })

const sortedSongs = (order: string | undefined, dir: string | undefined) => {
  if (order !== 'min_bpm') return songs
  const sign = dir === 'ASC' ? 1 : -1
  return songs.toSorted((a, b) => sign * (a.min_bpm! - b.min_bpm!))
}

const summarise = (genre: { genre_id: number; name: string }) => ({
  ...genre,
  image: '/images/cover/320.webp',
  song_count: 3,
  subgenre: [],
})

beforeEach(() => {
  fakeApi.reply(catalogue.getGenresWithCount, { genres: [house, techno].map(summarise) })
  fakeApi.reply(catalogue.genreSongs, ({ genre_id, order, orderDir }) => ({
    genre: genre_id === 1 ? house : techno,
    songs: sortedSongs(order, orderDir),
    pagination: singlePage(songs.length),
  }))
})

test('sorts by a heading ascending, descending and not at all', async () => {
  const heading = list.getByRole('columnheader', { name: 'BPM' })
  const press = () => heading.getByRole('button').click()
  await openApp('/genres/view/1')
  await expect.element(heading).toHaveAttribute('aria-sort', 'none')
  await press()
  await expect.element(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(currentUrl).toBe('/genres/view/1?order=min_bpm&dir=ASC')
  await expect.poll(() => titlesIn(list)).toEqual(['Slow', 'Middle', 'Fast'])
  await press()
  await expect.element(heading).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => titlesIn(list)).toEqual(['Fast', 'Middle', 'Slow'])
  await press()
  await expect.element(heading).toHaveAttribute('aria-sort', 'none')
  await expect.poll(() => titlesIn(list)).toEqual(['Middle', 'Slow', 'Fast'])
})

test('names the genre in the queue when a row is played', async () => {
  await openApp('/genres/view/1')
  await playButtonOf(songs[0]!).click()
  await expect.poll(() => usePlayer.getState().source).toBe('House')
})

test('leads from a genre to its sub-genres and back', async () => {
  const deep = { genre_id: 3, name: 'Deep House', image: '/images/cover/320.webp', song_count: 2 }
  fakeApi.reply(catalogue.getGenresWithCount, { genres: [{ ...summarise(house), subgenre: [deep] }] })
  fakeApi.reply(catalogue.genreSongs, ({ genre_id }) => ({
    genre: genre_id === 1 ? house : deep,
    songs,
    pagination: singlePage(3),
  }))
  await openApp('/genres/view/1')
  const main = page.getByRole('main')
  const tile = main.getByRole('navigation', { name: 'Sub-genres' }).getByRole('link', { name: 'Deep House 2 songs' })
  const choice = main.getByRole('navigation', { name: 'List section' })
  const bottomOf = (target: typeof tile) => Math.round(target.element().getBoundingClientRect().bottom)
  await expect.element(tile).toBeVisible()
  // The choice of songs or kuts takes no line of its own.
  expect(Math.abs(bottomOf(tile) - bottomOf(choice))).toBeLessThanOrEqual(3)
  await tile.click()
  await expect.poll(currentUrl).toBe('/genres/view/3')
  await expect.element(tile).toHaveAttribute('aria-current', 'page')
  await main.getByRole('link', { name: 'House', exact: true }).first().click()
  await expect.poll(currentUrl).toBe('/genres/view/1')
})

test('sorts by key on the server', async () => {
  await openApp('/genres/view/1')
  await list.getByRole('columnheader', { name: 'Key' }).getByRole('button').click()
  await expect
    .poll(() => fakeApi.inputsOf(catalogue.genreSongs).at(-1))
    .toMatchObject({ order: 'song_key', orderDir: 'ASC' })
})

test('shows that it is offline, and reloads when the connection is back', async () => {
  await openApp('/genres/view/1')
  await expect.element(songRows(list).first()).toBeVisible()
  fakeApi.setOffline(true)
  await page.getByRole('main').getByRole('link', { name: 'Techno' }).first().click()
  await expect.element(errorMessage).toHaveTextContent('You’re offline.')
  await expect.element(errorMessage.getByRole('button', { name: 'Try again' })).toBeVisible()
  fakeApi.setOffline(false)
  await expect.element(songRows(songList('Songs in Techno')).first()).toBeVisible()
})

test('shows that the server is overloaded, and tries again on request', async () => {
  const send = window.fetch
  // A proxy replies instead of the server, without the shape of an `ApiError`.
  vi.spyOn(window, 'fetch').mockImplementation(async (target, init) =>
    String(target).includes(catalogue.genreSongs.path)
      ? new Response('upstream is busy', { status: 503 })
      : send(target, init),
  )
  onTestFinished(() => void vi.restoreAllMocks())
  await openApp('/genres/view/1')
  await expect.element(errorMessage).toHaveTextContent('503')
  vi.restoreAllMocks()
  await errorMessage.getByRole('button', { name: 'Try again' }).click()
  await expect.element(songRows(list).first()).toBeVisible()
})
