import { catalogue, charts, spotlights } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, enterAs, expect, listNamed, newestSongs, otherBrowser, rowsOf, test } from './support.ts'

test('loads the lower parts of the home page when they are near, and returns to the same place', {
  tag: '@smoke',
}, async ({ page }) => {
  // The page drops early replies that are not used within 5 s; on a busy machine it may take longer to start.
  await page.addInitScript(() => {
    const setTimer = window.setTimeout
    const EARLY_REPLIES_MS = 5000
    const patiently = (run: () => void, ms?: number) => setTimer(run, ms === EARLY_REPLIES_MS ? 120_000 : ms)
    Object.assign(window, { setTimeout: patiently })
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const { genre } = await ask(catalogue.getGenresSong, {})
  const songs = await newestSongs(24)
  await page.route(`**/api/${catalogue.getGenresSong.path}*`, (route) =>
    route.fulfill({ json: { data: { genre, songs } } }),
  )
  await page.goto('/')
  await expect(rowsOf(page).first()).toBeVisible()
  const covers = page.getByRole('region', { name: 'Spotlights' }).locator('img')
  await expect.poll(() => covers.first().evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain(`/api/${charts.getTop20Tracks.path}`)
  // The document asks for it, and the page takes that answer.
  expect(asked.filter((path) => path === `/api/${spotlights.getSpotlights.path}`)).toHaveLength(1)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const album = page.getByRole('region', { name: 'Top 20' }).getByRole('link').nth(1)
  await album.scrollIntoViewIfNeeded()
  await expect(rowsOf(listNamed(page, 'New releases'))).toHaveCount(24)
  await page.waitForLoadState('networkidle')
  const place = () => page.evaluate(() => Math.round(scrollY))
  await album.scrollIntoViewIfNeeded()
  const before = await place()
  await album.click()
  await expect(page).toHaveURL(/\/top20\/songs\//)
  await page.goBack()
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(60)
})

test('keeps an announcement hidden for a member, in another browser too', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const note = (of: Page) => of.getByRole('note')
  const hide = { name: 'Dismiss announcement' }
  await enterAs(page, 'label@demo.test')
  await page.goto('/newRelease')
  await expect(note(page)).toHaveCount(1)
  const told = page.waitForResponse(/hide-announcement/)
  await note(page).getByRole('button', hide).click()
  expect((await told).ok()).toBe(true)
  await expect(note(page)).toHaveCount(0)

  const other = await otherBrowser(browser)
  await other.goto('/newRelease')
  await expect(note(other)).toHaveCount(1)
  await enterAs(other, 'label@demo.test')
  await other.reload()
  await expect(rowsOf(other).first()).toBeVisible()
  await expect(note(other)).toHaveCount(0)
  await other.context().close()
})
