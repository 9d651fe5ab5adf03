import { player as listening, spotlights } from '@dubplate/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong } from '../../test/samples.ts'
import { expectPlaying, openNewReleases, play } from '../player/testing.ts'

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

test('shows what plays without moving the blocks below', async () => {
  fakeApi.reply(listening.justPlayed, { songs: [played('Daylight')] })
  const [song] = await openNewReleases()
  const nowPlaying = block('Now playing')
  await expect.poll(playedTitles).toEqual(['Daylight'])
  await expect.element(nowPlaying).toHaveTextContent('Nothing playing.')
  const top = () => justPlayed.element().getBoundingClientRect().top
  const before = top()
  await play(song!)
  await expectPlaying()
  await expect.element(nowPlaying.getByRole('link', { name: song!.title, exact: true })).toBeVisible()
  expect(top()).toBe(before)
  const mixes = nowPlaying.getByRole('region', { name: `Mixes well with ${song!.title}` }).getByRole('list')
  await expect.element(mixes).not.toHaveAttribute('aria-busy')
  expect(top()).toBe(before)
})
