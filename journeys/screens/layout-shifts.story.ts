import type { Page } from '@playwright/test'
import { expect, signInAs, test } from '../support.ts'
import { DESKTOP, findGenre, PHONE, waitForAnimations } from './check.ts'

/** https://wicg.github.io/layout-instability/#sec-layout-shift */
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

declare global {
  interface Window {
    shifts: LayoutShift[]
    /** The columns of the first list, in each way in which they were painted. */
    painted: Set<string>
  }
}

/** Records the layout shifts of each page. */
const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    window.shifts = []
    new PerformanceObserver((list) => window.shifts.push(...(list.getEntries() as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    })
  })

const readShifts = (page: Page) =>
  page.evaluate(() =>
    window.shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({ value, what: sources.map(({ node }) => (node as Element | null)?.className) })),
  )

const MAX_SHIFT = 0.02

async function expectNoShift(page: Page, address: string) {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await page.waitForLoadState('networkidle')
  await waitForAnimations(page)
  const shifts = await readShifts(page)
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  expect.soft(sum, `${address} ${JSON.stringify(shifts)}`).toBeLessThan(MAX_SHIFT)
}

for (const window of [DESKTOP, PHONE]) {
  test(`no layout shift while pages load at ${window.width} px`, async ({ page }) => {
    test.slow()
    await page.setViewportSize(window)
    await recordShifts(page)
    await signInAs(page, 'staff@demo.test')
    const addresses = [
      '/',
      '/charts',
      '/newRelease',
      `/genres/view/${await findGenre()}`,
      '/spotlight/index',
      '/top20/tracks',
      '/top20/songs/1',
      '/search/result/remix',
      '/recentPlayed',
      '/favourite-songs',
      '/playlist',
      '/crate',
      '/news',
      '/account/update',
      '/account/change-password',
      '/account/security',
      '/account/display',
      '/account/cloud',
      '/account/download-profiles',
      '/account/data',
      '/subscription/plans',
      '/account/manage-subscription',
      '/account/billing',
      '/download-rescue',
      '/staff/payments',
    ]
    for (const address of addresses) await expectNoShift(page, address)
  })

  test(`no layout shift for a visitor at ${window.width} px`, async ({ page }) => {
    await page.setViewportSize(window)
    await recordShifts(page)
    // “House” is also the name of a genre, so that there are links above the songs.
    for (const address of ['/', `/genres/view/${await findGenre()}`, '/search/result/house'])
      await expectNoShift(page, address)
  })
}

test('the first list has its columns when it is painted for the first time', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await page.addInitScript(() => {
    window.painted = new Set()
    const record = () => {
      const columns = document.querySelector<HTMLElement>('[role=table]')?.style.getPropertyValue('--song-columns')
      if (columns) window.painted.add(columns)
      requestAnimationFrame(record)
    }
    record()
  })
  await page.goto(`/genres/view/${await findGenre()}`)
  await page.waitForLoadState('networkidle')
  await waitForAnimations(page)
  expect(await page.evaluate(() => [...window.painted])).toHaveLength(1)
})

test('the header of a collection keeps its height when its facts arrive', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await signInAs(page, 'staff@demo.test')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/collection/get.json*', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/charts')
  const header = page.getByRole('main').locator('header')
  await expect(header).toHaveAttribute('aria-busy', 'true')
  await page.evaluate(() => document.fonts.ready)
  const heightWhileLoading = (await header.boundingBox())?.height
  release()
  await expect(header).not.toHaveAttribute('aria-busy')
  expect((await header.boundingBox())?.height).toBe(heightWhileLoading)
})
