import { catalogue } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, rowOf, songList, songRows, titlesIn } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong, makeSongs } from '../../test/samples.ts'

const songs = makeSongs(30)
const list = songList('New releases')
const pages = page.getByRole('navigation', { name: 'Pages' })
const titles = (from: number, to?: number) => songs.slice(from, to).map(({ title }) => title)
const scrollPosition = () => Math.round(scrollY)

beforeEach(() => {
  fakeApi.reply(catalogue.getNewRelease, (input) => {
    const page = Number(input.page)
    return {
      songs: songs.slice((page - 1) * 24, page * 24),
      pagination: { page, perPageLimit: 24, totalCount: songs.length },
    }
  })
})

test('stores the page in the URL', async () => {
  await openApp('/newRelease')
  await expect.poll(() => titlesIn(list)).toEqual(titles(0, 24))
  await pages.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?page=2')
  await expect.poll(() => titlesIn(list)).toEqual(titles(24))
  await expect.element(page.getByText('25–30 of 30')).toBeVisible()
  const current = pages
    .getByRole('link')
    .elements()
    .filter((link) => link.hasAttribute('aria-current'))
  expect(current.map(({ textContent }) => textContent)).toEqual(['2'])
  history.back()
  await expect.element(page.getByText('1–24 of 30')).toBeVisible()
  expect(currentUrl()).toBe('/newRelease')
})

test('leads from a page beyond the last to the first', async () => {
  await openApp('/newRelease?page=999')
  await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go to first page' }).click()
  await expect.poll(currentUrl).toBe('/newRelease')
  await expect.element(songRows(list).first()).toBeVisible()
})

test('returns from a song to the same position in the list', async () => {
  const song = songs[20]!
  fakeApi.reply(catalogue.getSong, { song: makeSong(song) })
  await openApp('/newRelease')
  await expect.poll(() => titlesIn(list)).toHaveLength(24)
  const link = rowOf(song, list).getByRole('link', { name: song.title, exact: true })
  link.element().scrollIntoView({ block: 'center' })
  await expect.poll(scrollPosition).toBeGreaterThan(200)
  const before = scrollPosition()
  await link.click()
  await expect.element(page.getByRole('heading', { level: 1, name: song.title })).toBeVisible()
  await expect.poll(scrollPosition).toBe(0)
  history.back()
  await expect.poll(() => titlesIn(list)).toEqual(titles(0, 24))
  await expect.poll(scrollPosition).toBe(before)
})
