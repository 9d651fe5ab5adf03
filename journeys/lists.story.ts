import { spotlights } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { expect, openOtherBrowser, showDemoSongsAsNewest, signInAs, songList, songRows, test } from './support.ts'

test('requests the spotlights of the home page once, and restores its scroll position', {
  tag: '@smoke',
}, async ({ page }) => {
  // The page drops prefetched replies that are not used within 5 s. On a busy machine it may take longer to start.
  await page.addInitScript(() => {
    const setTimer = window.setTimeout
    const EARLY_REPLIES_MS = 5000
    const setLongTimer = (run: () => void, ms?: number) => setTimer(run, ms === EARLY_REPLIES_MS ? 120_000 : ms)
    Object.assign(window, { setTimeout: setLongTimer })
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await showDemoSongsAsNewest(page)
  await page.goto('/')
  await expect(songRows(page).first()).toBeVisible()
  const covers = page.getByRole('region', { name: 'Spotlights' }).locator('img')
  await expect.poll(() => covers.first().evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
  await page.waitForLoadState('networkidle')
  // The document prefetches the spotlights, and the page uses that reply.
  expect(requested.filter((path) => path === `/api/${spotlights.getSpotlights.path}`)).toHaveLength(1)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const song = songRows(songList(page, 'This week’s chart')).nth(7).getByTestId('song-title')
  await song.scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  const getScrollTop = () => page.evaluate(() => Math.round(scrollY))
  await song.scrollIntoViewIfNeeded()
  const before = await getScrollTop()
  await song.click()
  await expect(page).toHaveURL(/\/song\//)
  await page.goBack()
  await expect.poll(async () => Math.abs((await getScrollTop()) - before)).toBeLessThan(60)
})

test('requests each script and stylesheet once', async ({ page }) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/newRelease')
  await expect(songRows(page).first()).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Genres', 'New releases', 'Spotlights']) {
    await navigation.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  await page.waitForLoadState('networkidle')
  const files = requested.filter((path) => path.startsWith('/assets/'))
  expect(files.filter((path, n) => files.indexOf(path) !== n)).toEqual([])
  expect(files.some((path) => path.endsWith('.css'))).toBe(true)
})

test('keeps an announcement dismissed for a member in another browser', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const note = (of: Page) => of.getByRole('note')
  const hide = { name: 'Dismiss announcement' }
  await signInAs(page, 'label@demo.test')
  await page.goto('/newRelease')
  await expect(note(page)).toHaveCount(1)
  const reply = page.waitForResponse(/hide-announcement/)
  await note(page).getByRole('button', hide).click()
  expect((await reply).ok()).toBe(true)
  await expect(note(page)).toHaveCount(0)

  const other = await openOtherBrowser(browser)
  await other.goto('/newRelease')
  await expect(note(other)).toHaveCount(1)
  await signInAs(other, 'label@demo.test')
  await other.reload()
  await expect(songRows(other).first()).toBeVisible()
  await expect(note(other)).toHaveCount(0)
  await other.context().close()
})
