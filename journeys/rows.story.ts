import { type catalogue, library } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  callApi,
  crateLink,
  expect,
  getDemoSongs,
  SONGS_PER_PAGE,
  showDemoSongsAsNewest,
  signInAs,
  songRow,
  songRows,
  test,
} from './support.ts'

const getIds = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)

/** A click here selects the row: the key is neither a button nor a link. */
const keyCell = (page: Page, song: catalogue.Song) => songRow(page, song).getByTitle(/ · \d+[AB] · /)

test('adds selected songs to the crate together, and Undo removes them', { tag: '@smoke' }, async ({ page }) => {
  const token = await signInAs(page, 'label@demo.test')
  const inCrate = async () => getIds((await callApi(library.crateIndex, { pageLimit: 100 }, token)).songs)
  await callApi(library.clearCrates, {}, token)
  const songs = await getDemoSongs(SONGS_PER_PAGE)
  await showDemoSongsAsNewest(page)
  await page.goto('/newRelease')
  await expect(songRows(page)).toHaveCount(SONGS_PER_PAGE)
  await keyCell(page, songs[1]!).click()
  await keyCell(page, songs[3]!).click({ modifiers: ['Shift'] })
  await page.getByRole('region', { name: 'Selected songs' }).getByRole('button', { name: 'Add to crate' }).click()
  await expect(crateLink(page)).toHaveAccessibleName('Crate 3 songs')
  await expect.poll(inCrate).toEqual(getIds(songs.slice(1, 4)))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(crateLink(page)).toHaveAccessibleName('Crate')
  await expect.poll(inCrate).toEqual([])
})
