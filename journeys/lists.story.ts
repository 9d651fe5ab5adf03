import type { Page } from '@playwright/test'
import { expect, openOtherBrowser, signInAs, songList, songRows, test } from './support.ts'

/** The paths of what a page requests, including the document. */
function recordRequests(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  return requested
}

/** Opens the home page with all the replies that the server adds to it. A busy server may leave some out. */
async function openCompleteHome(page: Page): Promise<void> {
  let home = await page.request.get('/')
  const readPaths = async () => {
    home = await page.request.get('/')
    return /id="replies">[^<]*/.exec(await home.text())?.[0]
  }
  await expect
    .poll(readPaths, { timeout: 60_000 })
    .toMatch(/home-page-genres.*get-mp3index-items.*get-new-release.*shopify-products/)
  await page.route('/', (route) => route.fulfill({ response: home }))
  await page.goto('/')
}

const MAX_HOME_REQUESTS = 30
const MAX_HOME_CALLS = 3

test('the home page needs few requests until it is scrolled', { tag: '@smoke' }, async ({ page }) => {
  const requested = recordRequests(page)
  await openCompleteHome(page)
  await expect(songRows(songList(page, 'New releases'))).toHaveCount(8)
  const covers = page.getByRole('main').locator('img')
  const areLoaded = () =>
    covers.evaluateAll((imgs: HTMLImageElement[]) =>
      imgs.every((img) => img.naturalWidth > 0 || !img.checkVisibility()),
    )
  await expect.poll(areLoaded).toBe(true)
  await page.waitForLoadState('networkidle')
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(MAX_HOME_REQUESTS)
  const calls = requested.filter((path) => path.startsWith('/api/'))
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(MAX_HOME_CALLS)
  const chart = songRows(songList(page, 'This week’s chart'))
  await expect(chart).toHaveCount(0)
  await page.mouse.wheel(0, 200)
  await expect(chart).toHaveCount(8)
})

test('restores the scroll position of the home page', { tag: '@smoke' }, async ({ page }) => {
  await page.goto('/')
  await expect(songRows(page).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
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
  const requested = recordRequests(page)
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

// A smoke story, because others publish announcements, which would follow the dismissed one.
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
