import { charts, site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSongs, singlePage } from '../../test/samples.ts'
import { rows } from '../player/testing.ts'
import { titlesOf } from './selectionTestHelpers.ts'

test('opens a monthly chart from its tile and lists its songs by rank', async () => {
  const tracks = ['October', 'September'].map((title, n) => ({
    top20_track_id: n + 1,
    title,
    cover_image: '/images/month/320.webp',
  }))
  const songs = makeSongs(3).map((song, n) => ({ ...song, rank: n + 1, downloads: 0 }))
  fakeApi.reply(site.getPool, { name: 'Dubplate' })
  fakeApi.reply(charts.getTop20Tracks, { tracks, pagination: singlePage(2) })
  fakeApi.reply(charts.getTop20Songs, { title: 'October', songs, pagination: singlePage(3) })
  await openApp('/top20/tracks')
  const tiles = page.getByRole('main').getByRole('link', { name: /er$/ })
  await expect.poll(() => tiles.elements().map(({ textContent }) => textContent)).toEqual(['October', 'September'])
  await tiles.first().click()
  await expect.element(page.getByRole('table', { name: 'October' })).toBeVisible()
  await expect.poll(() => document.title).toBe('October · Dubplate')
  await expect.poll(() => titlesOf(rows.elements())).toEqual(['Song 1', 'Song 2', 'Song 3'])
  expect(rows.elements().map((row) => row.querySelector('[role=cell]')?.textContent)).toEqual(['1', '2', '3'])
  expect(fakeApi.inputsOf(charts.getTop20Songs)).toEqual([{ top20_track_id: 1, page: 1 }])
})
