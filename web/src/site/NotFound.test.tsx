import { catalogue, spotlights } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

test.each([
  ['an unknown genre', '/genres/view/999999', 'Not found'],
  ['an unknown song', '/song/999999', 'Not found'],
  ['a genre that is not a number', '/genres/view/house', 'This page doesn’t exist'],
  ['an unknown URL', '/no/such/page', 'This page doesn’t exist'],
])('links from %s to the start page', async (_, address, heading) => {
  const list = { curated_list_id: 1, title: 'Summer', image: '/images/list/320.webp', created_by: 'Ada', song_count: 8 }
  fakeApi.reply(spotlights.getSpotlights, { curatedlist: [list] })
  fakeApi.rejectWith(catalogue.genreSongs, { code: 'unknown_genre', message: 'There is no such genre.' })
  fakeApi.rejectWith(catalogue.getSong, { code: 'unknown_song', message: 'Song not found.' })
  await openApp(address)
  await expect.element(page.getByRole('heading', { name: heading })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go home' }).click()
  await expect.poll(currentUrl).toBe('/')
  await expect.element(page.getByRole('heading', { name: 'Spotlights', exact: true })).toBeVisible()
})
