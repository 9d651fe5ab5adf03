import type { Page } from '@playwright/test'
import { expect, firstItem, openAs, rowOf, test, undownloadedSongs } from './support.ts'

/** The download of the first version of a song, whatever its ticks say. */
const downloadOf = (page: Page, { title }: { title: string }) =>
  rowOf(page, { title })
    .getByRole('button', { name: /^Download / })
    .first()

/** Downloads to the last byte: only then does the next press count anew. */
async function downloadFully(page: Page, song: { title: string }): Promise<void> {
  const downloadPromise = page.waitForEvent('download')
  await downloadOf(page, song).click()
  await (await downloadPromise).path()
}

test('refuses a third download of the same version, by name', { tag: '@smoke' }, async ({ page, context }) => {
  const token = await openAs(page, 'dj@demo.test')
  const song = firstItem(await undownloadedSongs(token, { of: 2, rest: 1 }))
  const version = song.version[0]!
  const stale = await context.newPage()
  await stale.goto(`/song/${song.entity_id}`)
  await expect(downloadOf(stale, song)).toHaveAccessibleName(`Download ${version.version_label}, ${song.title}`)

  await page.goto(`/song/${song.entity_id}`)
  await downloadFully(page, song)
  await expect(downloadOf(page, song)).toHaveAccessibleName(/, 1 of 2 used$/)
  await downloadFully(page, song)
  await expect(downloadOf(page, song)).toHaveAccessibleName(
    `No downloads left for ${version.version_label}, ${song.title}`,
  )
  await expect(downloadOf(page, song)).toBeDisabled()

  // A page that was opened before still offers it; the server is asked, and says no.
  await downloadOf(stale, song).click()
  await expect(
    stale.getByText(`You have used both downloads of “${song.title} (${version.version_label})”.`),
  ).toBeVisible()
  await expect(downloadOf(stale, song)).toBeDisabled()
})
