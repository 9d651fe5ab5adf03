import { type catalogue, library } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, enterAs, expect, newestSongs, rowOf, rowsOf, test } from './support.ts'

const idsOf = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)

/** A place in a row that is neither a button nor a link. */
const spotIn = (page: Page, song: catalogue.Song) => rowOf(page, song).getByRole('time')
const crateLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Your Crate/ })

test('adds selected songs to the crate together, and Undo removes them', { tag: '@smoke' }, async ({ page }) => {
  const token = await enterAs(page, 'label@demo.test')
  const inCrate = async () => idsOf((await ask(library.crateIndex, { pageLimit: 100 }, token)).songs)
  await ask(library.clearCrates, {}, token)
  const songs = await newestSongs(24)
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
  await spotIn(page, songs[1]!).click()
  await spotIn(page, songs[3]!).click({ modifiers: ['Shift'] })
  await page.getByRole('region', { name: 'Selected songs' }).getByRole('button', { name: 'Add to crate' }).click()
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 3 songs')
  await expect.poll(inCrate).toEqual(idsOf(songs.slice(1, 4)))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 0 songs')
  await expect.poll(inCrate).toEqual([])
})
