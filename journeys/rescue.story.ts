import type { Locator, Page } from '@playwright/test'
import { expect, getFirst, getUndownloadedSongs, signInAs, songPage, test } from './support.ts'

/** Waits for the last byte: until then, another press resumes the download and is not counted. */
async function downloadCompletely(page: Page, button: Locator): Promise<string> {
  const downloadPromise = page.waitForEvent('download')
  await button.click()
  const download = await downloadPromise
  await download.path()
  return download.suggestedFilename()
}

async function pickSong(token: string) {
  const song = getFirst(await getUndownloadedSongs(token, 'rescue'))
  return { song, version: song.version.at(-1)! }
}

test('finds an earlier download in Download Rescue by words and year, and downloads it again', async ({ page }) => {
  const token = await signInAs(page, 'dj@demo.test')
  const { song, version } = await pickSong(token)
  const name = `${version.version_label}, ${song.title}`
  await page.goto(`/song/${song.entity_id}`)
  const inList = songPage(page).getByRole('button', { name: `Download ${name}`, exact: true })
  const file = await downloadCompletely(page, inList)

  await page.goto('/account/update')
  const tabs = page.getByRole('navigation', { name: 'Account' })
  await tabs.getByRole('link', { name: 'Download Rescue' }).click()
  const rows = page.getByTestId('rescue-row')
  const matchingRows = rows.filter({
    has: page.getByRole('link', { name: song.title, exact: true }),
    hasText: version.version_label,
  })
  await expect(matchingRows.first()).toContainText(song.artist)

  await page.getByLabel('Title or artist').fill(`${song.artist} ${song.title}`.toUpperCase())
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/[?&]find=/)
  await expect(matchingRows).toHaveCount(1)

  const years = page.getByRole('group', { name: 'Year' })
  const year = new Date().getFullYear()
  await years.getByRole('button', { name: String(year), exact: true }).click()
  await expect(matchingRows).toHaveCount(1)
  await years.getByRole('button', { name: String(year - 2) }).click()
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.goBack()

  const again = matchingRows.getByRole('button', { name: `Download ${name}, 1 of 2 used`, exact: true })
  expect(await downloadCompletely(page, again)).toBe(file)
  await expect(matchingRows.getByRole('button', { name: `No downloads left for ${name}` })).toBeDisabled()
  await page.reload()
  await expect(matchingRows).toHaveCount(2)
  await matchingRows.first().getByRole('link', { name: song.title }).click()
  await expect(page.getByRole('heading', { level: 1, name: song.title })).toBeVisible()
})
