import { catalogue, charts, player as listening, spotlights } from '@dubplate/contract'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeSongs, singlePage } from '../../test/samples.ts'
import { clearSession } from '../platform/session.ts'
import { play } from '../player/testing.ts'

const column = page.getByRole('complementary', { name: 'More to explore' })
const block = (name: string) => column.getByRole('region', { name, exact: true })
const justPlayed = block('Song just played')

const played = (title: string) => ({ ...makeSong({ title }), played_at: new Date().toISOString() })
const playedTitles = () =>
  justPlayed
    .getByRole('listitem')
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent)

beforeEach(() => signInAs(makeProfile()))
afterEach(() => vi.useRealTimers())

test('shows the songs just played with title, artist and time only', async () => {
  fakeApi.reply(listening.justPlayed, { songs: [played('Daylight')] })
  await openApp('/charts')
  const line = justPlayed.getByRole('listitem')
  await expect.element(line).toBeVisible()
  expect(line.element().textContent).toBe('DaylightAda Valejust now')
})

test('refetches what was just played every minute, and does not reorder it under the pointer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [first, second] = [played('First'), played('Second')]
  fakeApi.reply(listening.justPlayed, { songs: [first] })
  await openApp('/charts')
  await expect.poll(playedTitles).toEqual(['First'])
  await justPlayed.getByRole('link', { name: 'First' }).hover()

  let isAnswered = false
  fakeApi.reply(listening.justPlayed, () => {
    isAnswered = true
    return { songs: [second, first] }
  })
  vi.advanceTimersByTime(61_000)
  await expect.poll(() => isAnswered).toBe(true)
  await nextFrame()
  expect(playedTitles()).toEqual(['First'])
  await page.getByRole('banner').hover()
  await expect.poll(playedTitles).toEqual(['Second', 'First'])
})

/** Waits until the data that has just arrived is rendered. */
const nextFrame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))

test('offers to try again in a block that failed to load while the others are shown', async () => {
  fakeApi.rejectWith(listening.justPlayed, { code: 'rate_limited', message: 'Too many requests.' })
  fakeApi.reply(spotlights.getCuratedGenres, {
    genres: [{ genre_id: 1, title: 'Club', name: 'club', list_count: 3, isActive: false, subgenres: [] }],
  })
  await openApp('/charts')
  const errorMessage = column.getByText('Couldn’t load “Song just played”.')
  await expect.element(errorMessage).toBeVisible()
  await expect.element(block('Curated genres').getByRole('listitem')).toBeVisible()
  fakeApi.reply(listening.justPlayed, { songs: [played('Daylight')] })
  await errorMessage.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(playedTitles).toEqual(['Daylight'])
  await expect.element(errorMessage).not.toBeInTheDocument()
})

test('shows what mixes with the playing song, and nothing before one plays', async () => {
  const songs = makeSongs(2)
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(2) })
  await openApp('/newRelease')
  await expect.element(column.getByRole('heading', { name: 'Most downloaded today' })).toBeVisible()
  expect(column.getByRole('region', { name: /^Mixes well with/ }).elements()).toEqual([])
  await play(songs[0]!)
  await expect.element(column.getByRole('region', { name: `Mixes well with ${songs[0]!.title}` })).toBeVisible()
})

test('shows six songs of a chart until all are wanted, and hides an empty list of trending songs', async () => {
  const ranked = makeSongs(8).map((song, i) => ({ ...song, rank: i + 1, downloads: 9 - i }))
  fakeApi.reply(charts.getMostDownloadedToday, { songs: ranked })
  await openApp('/charts')
  const rows = column.getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(6)
  await column.getByRole('button', { name: 'Show all 8' }).click()
  await expect.poll(() => rows.elements().length).toBe(8)
  expect(column.getByRole('heading', { name: 'Top 30 trending' }).elements()).toEqual([])
})

test('is closed and opened from the header, remembers that, and requests nothing while it is closed', async () => {
  const header = page.getByRole('banner')
  await openApp('/charts')
  await expect.element(column).toBeVisible()
  await header.getByRole('button', { name: 'Hide side column' }).click()
  await expect.element(column).not.toBeInTheDocument()

  const calls = [charts.getMostDownloadedToday, listening.justPlayed, spotlights.getCuratedGenres]
  const requestCounts = () => calls.map((call) => fakeApi.inputsOf(call).length)
  const before = requestCounts()
  await reopenApp('/newRelease')
  await expect.element(page.getByRole('heading', { level: 1, name: 'New releases' })).toBeVisible()
  await expect.poll(() => fakeApi.inputsOf(catalogue.getNewRelease)).toHaveLength(1)
  expect(column.elements()).toEqual([])
  expect(requestCounts()).toEqual(before)

  await header.getByRole('button', { name: 'Show side column' }).click()
  await expect.element(column).toBeVisible()
  await expect.poll(requestCounts).toEqual(before.map((count) => count + 1))
})

test('is closed for visitors at first, and missing on a phone, in the crate and in the account', async () => {
  const buttons = page.getByRole('banner').getByRole('button', { name: /side column$/ })
  for (const address of ['/crate', '/account/update']) {
    await openApp(address)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect([...column.elements(), ...buttons.elements()], address).toEqual([])
  }
  clearSession()
  await openApp('/charts')
  await expect.element(buttons).toHaveAccessibleName('Show side column')
  expect(column.elements()).toEqual([])
  await buttons.click()
  await expect.element(column).toBeVisible()
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await expect.element(column).not.toBeInTheDocument()
})
