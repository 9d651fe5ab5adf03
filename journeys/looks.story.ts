import { AxeBuilder } from '@axe-core/playwright'
import { catalogue, library } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, dialog, enterAs, expect, firstOf, newestSongs, rowsOf, test, tokenOf } from './support.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Screen = { name: string; isMembers?: boolean; open(page: Page): Promise<void> }

async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(rowsOf(page).first()).toBeVisible()
}

const SCREENS: Screen[] = [
  {
    name: 'home',
    open: async (page) => {
      await openList(page, '/')
      await expect(page.getByRole('complementary', { name: 'Charts' }).getByRole('listitem').first()).toBeVisible()
      await expect(page.getByRole('note').first()).not.toBeEmpty()
    },
  },
  {
    name: 'genre',
    open: async (page) => {
      const { genres } = await ask(catalogue.getGenresWithCount, {})
      await openList(page, `/genres/view/${firstOf(genres.filter(({ song_count }) => song_count > 1)).genre_id}`)
    },
  },
  {
    name: 'search',
    open: async (page) => {
      const [word] = firstOf((await newestSongs(60)).filter(({ artist }) => /^[a-z]{4,} /i.test(artist))).artist.split(
        ' ',
      )
      await openList(page, `/search/result/${word}`)
    },
  },
  { name: 'crate', isMembers: true, open: (page) => openList(page, '/crate') },
  {
    name: 'sign-in',
    open: async (page) => {
      await openList(page, '/newRelease?dialog=sign-in')
      await expect(dialog(page, 'Sign in').getByRole('button', { name: 'staff@demo.test' })).toBeVisible()
    },
  },
  {
    name: 'queue',
    open: async (page) => {
      await openList(page, '/newRelease')
      for (const row of (await rowsOf(page).all()).slice(0, 2)) {
        await row.click({ button: 'right', position: { x: 8, y: 8 } })
        await page.getByRole('menuitem', { name: 'Add to queue' }).click()
      }
      await page.getByTestId('queue').click()
      await expect(page.getByRole('dialog', { name: 'Queue' }).getByRole('listitem')).toHaveCount(2)
    },
  },
]

const WINDOWS = [
  { width: 1440, height: 900, scheme: 'dark' },
  { width: 1440, height: 900, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
] as const

/** What a browser complains about: errors on its console, and what the content security policy refused. */
function complaintsOf(page: Page) {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return async () => [...errors, ...(await page.evaluate(() => window.refused))]
}

/** Faded in, nothing is half transparent any more: a colour on its way would be measured instead of the one that stays. */
const untilStill = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )

/** What axe finds: each rule once, with how often it is broken and where first. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.target} ${nodes[0]?.failureSummary}`,
  )
}

test.beforeAll(async () => {
  const token = await tokenOf('staff@demo.test')
  const { crates } = await ask(library.getCrates, {}, token)
  if (crates.length === 0)
    for (const { entity_id } of await newestSongs(2)) await ask(library.crateAddRemove, { songId: entity_id }, token)
})

for (const { name, isMembers, open } of SCREENS) {
  for (const { width, height, scheme } of WINDOWS) {
    test(`${name} is for everybody at ${width} px, ${scheme === 'dark' ? 'by night' : 'by day'}`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await page.addInitScript((it) => localStorage.setItem('dubplate.scheme', it), scheme)
      if (isMembers) await enterAs(page, 'staff@demo.test')
      const complaints = complaintsOf(page)
      await open(page)
      await untilStill(page)
      expect(await faultsOf(page)).toEqual([])
      expect(await complaints()).toEqual([])
    })
  }

  test(`${name} fits the width of every window`, async ({ page }) => {
    if (isMembers) await enterAs(page, 'staff@demo.test')
    await open(page)
    for (const width of [1440, 1000, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await expect.poll(over, `px that reach beyond ${width}`).toBeLessThanOrEqual(0)
    }
  })
}

for (const { width, height } of [WINDOWS[0], WINDOWS[2]]) {
  test(`nothing jumps while the home page loads at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await page.addInitScript(() => {
      const seen: LayoutShift[] = []
      Object.assign(window, { shifts: seen })
      new PerformanceObserver((list) => seen.push(...(list.getEntries() as LayoutShift[]))).observe({
        type: 'layout-shift',
        buffered: true,
      })
    })
    await SCREENS[0]!.open(page)
    await page.waitForLoadState('networkidle')
    await untilStill(page)
    const shifts = await page.evaluate(() =>
      (window as unknown as { shifts: LayoutShift[] }).shifts
        .filter(({ hadRecentInput }) => !hadRecentInput)
        .map(({ value, sources }) => ({ value, what: sources.map(({ node }) => (node as Element | null)?.className) })),
    )
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02)
  })
}

/** https://wicg.github.io/layout-instability/#sec-layout-shift */
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
