import { charts } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, songRows } from '../../test/locators.ts'
import { makeSongs } from '../../test/samples.ts'
import { openNewReleases } from '../player/testing.ts'

test('shows them in one line of a phone, so that the first song is in the upper half of the screen', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  const tracks = Array.from({ length: 6 }, (_, n) => ({
    ...{ top20_track_id: n + 1, title: `Month ${n + 1}`, cover_image: '/images/month/320.webp' },
  }))
  fakeApi.reply(charts.getTop20Tracks, { tracks })
  await openNewReleases(makeSongs(3))
  const albums = page.getByRole('main').getByRole('link', { name: /^Month \d$/ })
  await expect.poll(() => albums.elements().length).toBe(6)
  const tops = albums.elements().map((album) => album.getBoundingClientRect().top)
  expect(new Set(tops).size).toBe(1)
  expect(songRows().first().element().getBoundingClientRect().top).toBeLessThanOrEqual(420)
})

test('shows the six newest monthly charts above the songs', async () => {
  const tracks = Array.from({ length: 6 }, (_, n) => ({
    top20_track_id: n + 1,
    title: `Month ${n + 1}`,
    cover_image: '/images/month/320.webp',
  }))
  fakeApi.reply(charts.getTop20Tracks, { tracks })
  await openNewReleases(makeSongs(3))
  expect(fakeApi.inputsOf(charts.getTop20Tracks)).toContainEqual({ page: '1', limit: '6' })
  const albums = page.getByRole('main').getByRole('link', { name: /^Month \d$/ })
  await expect
    .poll(() => albums.elements().map(({ textContent }) => textContent))
    .toEqual(tracks.map(({ title }) => title))
  const top = (element: Element) => element.getBoundingClientRect().top
  expect(top(albums.last().element())).toBeLessThan(top(songRows().first().element()))
  await albums.first().click()
  await expect.poll(currentUrl).toBe('/top20/songs/1')
})
