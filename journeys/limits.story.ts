import type { Page } from '@playwright/test'
import { expect, getFirst, getUndownloadedSongs, signInAs, songPage, test } from './support.ts'

/** The download button of the first version, on the page of a song. */
const downloadButton = (page: Page) =>
  songPage(page)
    .getByRole('button', { name: /^(Download|No downloads left for) / })
    .first()

/** Waits for the last byte: until then, another press resumes the download and is not counted. */
async function downloadCompletely(page: Page, { isLast = false } = {}): Promise<void> {
  const downloadPromise = page.waitForEvent('download')
  await downloadButton(page).click()
  if (isLast) {
    await expect(page.getByRole('dialog').getByText('This is your last download of')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click()
  }
  await (await downloadPromise).path()
}

test('refuses a third download of the same version (403 download_limit_reached)', async ({ page, context }) => {
  const token = await signInAs(page, 'dj@demo.test')
  const song = getFirst(await getUndownloadedSongs(token, 'limits'))
  const version = song.version[0]!
  const stale = await context.newPage()
  await stale.goto(`/song/${song.entity_id}`)
  await expect(downloadButton(stale)).toHaveAccessibleName(`Download ${version.version_label}, ${song.title}`)

  await page.goto(`/song/${song.entity_id}`)
  await downloadCompletely(page)
  await expect(downloadButton(page)).toHaveAccessibleName(/, 1 of 2 used$/)
  await downloadCompletely(page, { isLast: true })
  await expect(downloadButton(page)).toHaveAccessibleName(
    `No downloads left for ${version.version_label}, ${song.title}`,
  )
  await expect(downloadButton(page)).toBeDisabled()

  // This page was opened before the downloads, so it still offers one.
  await downloadButton(stale).click()
  await expect(
    stale.getByText(
      `You have no downloads left for “${song.title} (${version.version_label})”. You’ve used both downloads.`,
    ),
  ).toBeVisible()
  await expect(downloadButton(stale)).toBeDisabled()
})
