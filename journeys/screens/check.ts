// Opens screens one after another in one page for each role. Checks accessibility, overflow and errors in the browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { catalogue, library, player as playerCalls } from '@dubplate/contract'
import type { Browser, Page } from '@playwright/test'
import type axe from 'axe-core'
import {
  test as base,
  callApi,
  expect,
  getDemoSongs,
  getFirst,
  getToken,
  type Member,
  openContext,
  player,
  songRows,
} from '../support.ts'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

export type Screen = {
  name: string
  /** Opens the screen without a session. The default is a staff member, who has a crate, favourites, playlists and a history. */
  isForVisitors?: boolean
  /** Opens the screen as this member instead of staff. */
  who?: Member
  /** Opens the screen, and waits until it can be checked. */
  open(page: Page): Promise<void>
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const DESKTOP = { width: 1440, height: 900 }
const TABLET = { width: 1000, height: 844 }
export const PHONE = { width: 390, height: 844 }

/** An address without a screen, which closes the previous one. */
const BLANK_ADDRESS = '/no/such/page'

/** Navigates within the app, or loads the page if the app is not open yet. */
export async function visit(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(address)
  else await page.evaluate((to) => history.pushState({}, '', to), address)
}

/** Loads the page at an address, for a screen that would otherwise keep the selection of an earlier one. */
export async function load(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await disableTransitions(page)
}

/** Opens a list of songs, and waits for the player with its saved song. */
export async function openList(page: Page, address: string): Promise<void> {
  await visit(page, address)
  await expect(songRows(page).first()).toBeVisible()
  await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
}

export async function openTiles(page: Page, address: string): Promise<void> {
  await visit(page, address)
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link').first()).toBeVisible()
}

export const findGenre = async () =>
  getFirst((await callApi(catalogue.getGenresWithCount, {})).genres.filter(({ song_count }) => song_count > 1)).genre_id

/** Returns a function that takes the errors since its last call: exceptions, console errors and policy violations. */
function collectErrors(page: Page) {
  let errors: string[] = []
  // The browser logs a 422 reply as an error, though some screens expect one.
  const isExpectedError = (text: string) => text.includes('status of 422')
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
  // Only a development build recommends React DevTools. It is slower and mounts everything twice.
  const isDevelopmentBuild = (text: string) => text.includes('React DevTools')
  page.on('console', (message) => {
    const text = message.text()
    if ((message.type() === 'error' && !isExpectedError(text)) || isDevelopmentBuild(text)) errors.push(text)
  })
  return async () => {
    const collectedErrors = [...errors, ...(await page.evaluate(() => window.cspViolations.splice(0)))]
    errors = []
    return collectedErrors
  }
}

/** Counts the running animations of visible elements. Those of rows that are not rendered never end. */
const countRunningAnimations = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ effect }) => (effect as KeyframeEffect).target)
        .filter((target) => target?.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).length,
  )

/** Waits until everything has loaded and faded in: axe would measure the contrast of colours that are still changing. */
export async function waitForAnimations(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect.poll(() => countRunningAnimations(page), 'running animations').toBe(0)
}

/** Waits until the player, if there is one, has the layout of the window's width: React renders it after the resize. */
async function waitForPlayerLayout(page: Page, size: typeof PHONE): Promise<void> {
  // Dialogs hide the rest of the page from the accessibility tree.
  const bar = page.getByRole('region', { name: 'Player', includeHidden: true })
  const opener = bar.getByRole('button', { name: /^Open player/, includeHidden: true })
  if ((await bar.count()) > 0) await expect(opener).toHaveCount(size === PHONE ? 1 : 0)
}

/** Turns off transitions between dark and light mode, and the fading of elements that load. */
const disableTransitions = (page: Page) =>
  page.evaluate(() => {
    const styleSheet = new CSSStyleSheet()
    styleSheet.replaceSync(`
      [aria-busy="true"] { opacity: 1 !important }
      *, ::before, ::after { transition: none !important }`)
    document.adoptedStyleSheets.push(styleSheet)
  })

/** Rows after the first ones are alike, and would take longer to check than the rest of the page. */
const REPEATED_ROWS = [
  ':is([data-testid="song-row"], [data-testid="rescue-row"]):nth-child(n + 4)',
  // In the songs table of the back office, the first rows are open, selected or being edited.
  'tr[data-row]:nth-child(n + 8)',
]

/** Returns whether the fixed player covers a part of the element, which scrolling would uncover. Does not wait for it. */
const isBehindPlayer = (page: Page, target: string): Promise<boolean> =>
  player(page).evaluateAll((bars, selector) => {
    const element = document.querySelector(selector)
    // The back office has no player.
    return bars.some((bar) => element && element.getBoundingClientRect().bottom > bar.getBoundingClientRect().top)
  }, target)

/** Runs axe in the page itself. Playwright's adapter, which supports frames, would open another page for the results. */
async function findViolations(page: Page): Promise<axe.Result[]> {
  expect(page.frames(), 'frames, of which only the first is checked').toHaveLength(1)
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE)
  return page.evaluate(
    async ([exclude, rules]) => {
      const context = { include: [document], exclude }
      const { violations } = await window.axe!.run(context, { runOnly: rules, resultTypes: ['violations'] })
      return violations
    },
    [REPEATED_ROWS, RULES] as const,
  )
}

/** Returns each violated rule of axe with the number of violations and the first element. */
async function findAccessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = []
  for (const { id, nodes } of await findViolations(page)) {
    const isBehind = await Promise.all(
      nodes.map(({ target }) => id === 'target-size' && isBehindPlayer(page, `${target}`)),
    )
    const [first, ...others] = nodes.filter((_, n) => !isBehind[n])
    if (first) problems.push(`${id}, ${others.length + 1} times: ${first.target} ${first.failureSummary}`)
  }
  return problems
}

const setScheme = (page: Page, scheme: 'dark' | 'light') =>
  page.evaluate((it) => document.documentElement.setAttribute('data-mantine-color-scheme', it), scheme)

/** Returns how many pixels the page is wider than the window. */
const measureOverflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Gives the staff member a crate, favourites and a history to show. */
async function fillLibrary(): Promise<void> {
  const token = await getToken('staff@demo.test')
  const [song, other] = await getDemoSongs(2)
  await callApi(library.crateChange, { song_ids: [song!.entity_id, other!.entity_id] }, token)
  await callApi(library.favouriteChange, { song_ids: [other!.entity_id] }, token)
  const listen = { song_version_id: getFirst(song!.version).song_version_id, listen_key: crypto.randomUUID() }
  await callApi(playerCalls.songPlayed, listen, token)
}

/** Returns the saved state of a paused player, which the page restores. */
async function makeSavedPlayer(): Promise<string> {
  const [song] = await getDemoSongs(1)
  const entry = { song, version: getFirst(song!.version) }
  const levels = { volume: 1, muted: false, shuffle: false, repeat_one: false }
  return JSON.stringify({ queue: [entry], index: 0, position_seconds: 0, ...levels })
}

type OpenedPage = { page: Page; takeErrors: () => Promise<string[]> }

async function openPage(browser: Browser, member: Member | undefined): Promise<OpenedPage> {
  const stored: Record<string, string> = { 'dubplate.player': await makeSavedPlayer() }
  if (member) stored['dubplate.token'] = await getToken(member)
  const context = await openContext(browser)
  await context.addInitScript((it) => Object.assign(localStorage, it), stored)
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const takeErrors = collectErrors(page)
  await load(page, BLANK_ADDRESS)
  return { page, takeErrors }
}

/** Resets the page for the next screen: dark mode, desktop width, no drafts, no screen. */
async function closeScreen(page: Page): Promise<void> {
  await page.unrouteAll()
  // A panel that is not part of the address, such as the queue, stays open on the next screen.
  const dialogs = page.getByRole('dialog')
  if ((await dialogs.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect(dialogs).toHaveCount(0)
  }
  await page.setViewportSize(DESKTOP)
  await setScheme(page, 'dark')
  await visit(page, BLANK_ADDRESS)
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
}

/** Keeps one page for each role open for all screens of a worker: loading the app takes longer than checking a screen. */
const test = base.extend<object, { getPage: (member: Member | undefined) => Promise<OpenedPage> }>({
  getPage: [
    async ({ browser }, use) => {
      await fillLibrary()
      const pages = new Map<Member | undefined, Promise<OpenedPage>>()
      await use((member) => {
        if (!pages.has(member)) pages.set(member, openPage(browser, member))
        return pages.get(member)!
      })
      for (const opened of pages.values()) await (await opened).page.context().close()
    },
    { scope: 'worker' },
  ],
})

/** Declares a test for each screen. After a failed test, Playwright starts a new worker with new pages. */
export function checkScreens(screens: readonly Screen[]): void {
  for (const { name, isForVisitors, who: member = 'staff@demo.test', open } of screens)
    test(`${name}: no axe violations, no overflow at 1440, 1000 and 390 px`, async ({ getPage }) => {
      test.slow()
      const { page, takeErrors } = await getPage(isForVisitors ? undefined : member)
      await open(page)
      for (const window of [DESKTOP, TABLET, PHONE]) {
        await page.setViewportSize(window)
        await expect.poll(() => measureOverflow(page), `overflow at ${window.width} px`).toBeLessThanOrEqual(0)
        if (window === PHONE) await setScheme(page, 'light')
        // After scrolling to a field, the header may cover a part of a link.
        await page.evaluate(() => scrollTo(0, 0))
        await waitForPlayerLayout(page, window)
        await waitForAnimations(page)
        if (window === TABLET) continue
        expect(await findAccessibilityProblems(page), `${window.width} px`).toEqual([])
      }
      expect(await takeErrors()).toEqual([])
      await closeScreen(page)
    })
}
