import type { Page } from '@playwright/test'
import { enterAs, expect, firstOf, newestSongs, rowOf, test, undownloadedSongs } from './support.ts'

/** The download of the first version of a song, whatever its ticks say. */
const downloadOf = (page: Page, { title }: { title: string }) =>
  rowOf(page, { title })
    .getByRole('button', { name: /^Download / })
    .first()

/** Downloads to the last byte: only then does the next press count anew. */
async function downloadWhole(page: Page, song: { title: string }): Promise<void> {
  const starting = page.waitForEvent('download')
  await downloadOf(page, song).click()
  await (await starting).path()
}

test('a member without a paid plan who downloads lands on the plans, and gets back to the songs', async ({ page }) => {
  await enterAs(page, 'free@demo.test')
  await page.goto('/newRelease')
  await downloadOf(page, firstOf(await newestSongs(1))).click()
  await expect(page).toHaveURL(/\/subscription\/plans$/)
  await expect(page.getByRole('heading', { name: 'A paid plan is needed to download' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the songs' }).click()
  await expect(page).toHaveURL(/\/newRelease$/)
})

test('a label is told that its account does not download', async ({ page }) => {
  await enterAs(page, 'label@demo.test')
  await page.goto('/newRelease')
  await downloadOf(page, firstOf(await newestSongs(1))).click()
  await expect(page.getByText('Your kind of account does not download music.')).toBeVisible()
  await expect(page).toHaveURL(/\/newRelease$/)
})

test('a visitor who downloads is asked to sign in, over the page', async ({ page }) => {
  await page.goto('/newRelease')
  await downloadOf(page, firstOf(await newestSongs(1))).click()
  await expect(page.getByRole('dialog', { name: 'Sign In' })).toBeVisible()
  await expect(page).toHaveURL(/\/newRelease\?dialog=sign-in$/)
})

test('a version is downloaded twice; the third time is refused by its name', { tag: '@smoke' }, async ({
  page,
  context,
}) => {
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
    `Download limit reached for ${version.version_label}, ${song.title}`,
  )
  await expect(downloadOf(page, song)).toBeDisabled()

  // A page that was opened before still offers it; the server is asked, and says no.
  await downloadOf(stale, song).click()
  await expect(
    stale.getByText(`You have used both downloads of “${song.title} (${version.version_label})”.`),
  ).toBeVisible()
  await expect(downloadOf(stale, song)).toBeDisabled()
})
