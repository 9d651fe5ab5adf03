import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { library, player as listening } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { aGenre, SCREENS } from './screens.ts'
import { ask, enterAs, expect, firstOf, newestSongs, player, test, tokenOf } from './support.ts'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const DESK = { width: 1440, height: 900 }
const WINDOWS = [DESK, { width: 1000, height: 844 }, { width: 390, height: 844 }]
const PHONE = WINDOWS[2]!

/** What a browser complains about: errors on its console, and what the content security policy refused. */
function complaintsOf(page: Page) {
  const errors: string[] = []
  // A refusal is an answer, of which the browser complains all the same.
  const isRefusal = (text: string) => text.includes('status of 422')
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) errors.push(message.text())
  })
  return async () => [...errors, ...(await page.evaluate(() => window.refused))]
}

/** What moves to an end, and is drawn: what is not (rows far below, on a phone) rests, and never ends. */
const moving = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ effect }) => (effect as KeyframeEffect).target)
        .filter((target) => target?.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).length,
  )

/** Everything is there, and faded in: a colour on its way would be measured instead of the one that stays. */
async function untilStill(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect.poll(() => moving(page), 'what still moves').toBe(0)
}

/**
 * What plays goes on to the next song, and what mixes with it is asked for: faded until it is there. And where day
 * follows night, colours change at once, without a frame being drawn for it.
 */
const withoutFading = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      [aria-busy="true"] { opacity: 1 !important }
      *, ::before, ::after { transition: none !important }`)
    document.adoptedStyleSheets.push(sheet)
  })

/** Rows below the first ones are like them, and would take longer to look at than all the rest. */
const LIKE_THOSE_ABOVE = [
  ':is([data-testid="song-row"], [data-testid="rescue-row"]):nth-child(n + 4)',
  // Of the songs of the desk the first ones are open, selected or being written.
  'tr[data-song]:nth-child(n + 8)',
]

/** What lies half behind the player, which never scrolls, comes out from there with the page. */
const isBehindPlayer = async (page: Page, target: string): Promise<boolean> => {
  const [bar, thing] = await Promise.all([player(page).boundingBox(), page.locator(target).first().boundingBox()])
  return !!bar && !!thing && thing.y + thing.height > bar.y
}

/** What breaks a rule. In the page itself: what looks into frames opens a page of its own to add up what it found. */
async function violationsOn(page: Page): Promise<axe.Result[]> {
  expect(page.frames(), 'documents of which only the first is looked at').toHaveLength(1)
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE)
  return page.evaluate(
    async ([exclude, rules]) => {
      const where = { include: [document], exclude }
      const { violations } = await window.axe!.run(where, { runOnly: rules, resultTypes: ['violations'] })
      return violations
    },
    [LIKE_THOSE_ABOVE, RULES] as const,
  )
}

/** What axe finds: each rule once, with how often it is broken and where first. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { id, nodes } of await violationsOn(page)) {
    const behind = await Promise.all(
      nodes.map(({ target }) => id === 'target-size' && isBehindPlayer(page, `${target}`)),
    )
    const [first, ...others] = nodes.filter((_, n) => !behind[n])
    if (first) faults.push(`${id}, ${others.length + 1} times: ${first.target} ${first.failureSummary}`)
  }
  return faults
}

/** Day Mode as the switch sets it: by day only the colours are others. */
const dress = (page: Page, scheme: 'dark' | 'light') =>
  page.evaluate((it) => document.documentElement.setAttribute('data-mantine-color-scheme', it), scheme)

/** How far anything reaches beyond the window sideways, in px. */
const reachesOut = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test.beforeAll(async () => {
  const token = await tokenOf('staff@demo.test')
  const [song, other] = await newestSongs(2)
  await ask(library.crateChange, { song_ids: [song!.entity_id, other!.entity_id] }, token)
  await ask(library.favouriteChange, { song_ids: [other!.entity_id] }, token)
  const heard = { song_version_id: firstOf(song!.version).song_version_id, listen_key: crypto.randomUUID() }
  await ask(listening.songPlayed, heard, token)
})

test.describe.configure({ mode: 'parallel' })

for (const { name, isVisitors, who = 'staff@demo.test', open } of SCREENS) {
  test(`${name} is for everybody, on the desk by night and on the phone by day`, async ({ page }) => {
    test.slow()
    if (!isVisitors) await enterAs(page, who)
    const complaints = complaintsOf(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page)
    await withoutFading(page)
    for (const window of WINDOWS) {
      await page.setViewportSize(window)
      await expect.poll(() => reachesOut(page), `px that reach beyond ${window.width}`).toBeLessThanOrEqual(0)
      if (window === PHONE) await dress(page, 'light')
      // Where a field was come down to, a link may lie half under the header.
      await page.evaluate(() => scrollTo(0, 0))
      await untilStill(page)
      // In between, everything that is on the desk or on the phone stands there again.
      if (window !== DESK && window !== PHONE) continue
      const when = window === PHONE ? 'day' : 'night'
      expect(await faultsOf(page), `${window.width} px by ${when}`).toEqual([])
    }
    expect(await complaints()).toEqual([])
  })
}

/** https://wicg.github.io/layout-instability/#sec-layout-shift */
type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

/** Notes from now on what moves on each page without anybody having touched it. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const seen: LayoutShift[] = []
    Object.assign(window, { shifts: seen })
    new PerformanceObserver((list) => seen.push(...(list.getEntries() as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    })
  })

const shiftsOf = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { shifts: LayoutShift[] }).shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({ value, what: sources.map(({ node }) => (node as Element | null)?.className) })),
  )

const MOST_SHIFT = 0.02

for (const window of [DESK, PHONE]) {
  test(`nothing jumps while a screen loads at ${window.width} px`, async ({ page }) => {
    test.slow()
    await page.setViewportSize(window)
    await watchShifts(page)
    await enterAs(page, 'staff@demo.test')
    const addresses = [
      '/',
      '/charts',
      '/newRelease',
      `/genres/view/${await aGenre()}`,
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
      '/account/data',
      '/subscription/plans',
      '/account/manage-subscription',
      '/account/billing',
      '/download-rescue',
      '/staff/payments',
    ]
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await page.waitForLoadState('networkidle')
      await untilStill(page)
      const shifts = await shiftsOf(page)
      const sum = shifts.reduce((all, { value }) => all + value, 0)
      expect.soft(sum, `${address} ${JSON.stringify(shifts)}`).toBeLessThan(MOST_SHIFT)
    }
  })
}
