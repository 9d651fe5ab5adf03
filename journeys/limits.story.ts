import type { Page } from '@playwright/test'
import { enterAs, expect, firstOf, rowOf, test, undownloadedSongs } from './support.ts'

/** The download of the first version of a song, whatever its ticks say. */
const downloadOf = (page: Page, { title }: { title: string }) =>
  rowOf(page, { title })
    .getByRole('button', { name: /^(Download|No downloads left for) / })
    .first()

/** Downloads to the last byte: only then does the next press count anew. */
async function downloadWhole(page: Page, song: { title: string }): Promise<void> {
  const starting = page.waitForEvent('download')
  await downloadOf(page, song).click()
  await (await starting).path()
}

test('refuses a third download of the same version, by name', { tag: '@smoke' }, async ({ page, context }) => {
  const token = await enterAs(page, 'dj@demo.test')
  const song = firstOf(await undownloadedSongs(token, { of: 2, rest: 1 }))
  const version = song.version[0]!
  const stale = await context.newPage()
  await stale.goto(`/song/${song.entity_id}`)
  await expect(downloadOf(stale, song)).toHaveAccessibleName(`Download ${version.version_label}, ${song.title}`)

  await page.goto(`/song/${song.entity_id}`)
  await downloadWhole(page, song)
  await expect(downloadOf(page, song)).toHaveAccessibleName(/, 1 of 2 used$/)
  await downloadWhole(page, song)
  await expect(downloadOf(page, song)).toHaveAccessibleName(
    `No downloads left for ${version.version_label}, ${song.title}`,
  )
  await expect(downloadOf(page, song)).toBeDisabled()

  // A page that was opened before still offers it; the server is asked, and says no.
  await downloadOf(stale, song).click()
  await expect(
    stale.getByText(`You have no downloads left for “${song.title} (${version.version_label})”. You’ve used both downloads.`),
  ).toBeVisible()
  await expect(downloadOf(stale, song)).toBeDisabled()
})
