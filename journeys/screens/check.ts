// Opens screens one after the other in one page for each role, and checks that each is accessible, fits the window and causes no errors.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { catalogue, library, player as listening } from '@dubplate/contract'
import type { Browser, Page } from '@playwright/test'
import type axe from 'axe-core'
import {
  ask,
  test as base,
  expect,
  firstOf,
  type Member,
  newestSongs,
  openContext,
  player,
  rowsOf,
  tokenOf,
} from '../support.ts'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

export type Screen = {
  name: string
  /** Opened without a session; by the demo's staff otherwise, who have a crate, favourites, playlists and a history. */
  isVisitors?: boolean
  /** Opened by this member of the demo instead of staff. */
  who?: Member
  /** Brings the screen up, and waits for what must be there before it is checked. */
  open(page: Page): Promise<void>
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const DESKTOP = { width: 1440, height: 900 }
const TABLET = { width: 1000, height: 844 }
export const PHONE = { width: 390, height: 844 }

/** An address without a screen: going there closes the last one. */
const NOWHERE = '/no/such/page'

/** Goes to an address as a link does where the app is open, and loads the page where it is not. */
export async function visit(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(address)
  else await page.evaluate((to) => history.pushState({}, '', to), address)
}

/** Loads the page at an address: for a screen that would start with what an earlier one selected. */
export async function load(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await disableFading(page)
}

/** Opens a list of songs. The player stands below it, with a song that was chosen before. */
export async function openList(page: Page, address: string): Promise<void> {
  await visit(page, address)
  await expect(rowsOf(page).first()).toBeVisible()
  await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
}

export async function openTiles(page: Page, address: string): Promise<void> {
  await visit(page, address)
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link').first()).toBeVisible()
}

export const findGenre = async () =>
  firstOf((await ask(catalogue.getGenresWithCount, {})).genres.filter(({ song_count }) => song_count > 1)).genre_id

/** What the browser complained about in the page since the last time: exceptions, errors of the console, what the content security policy refused. */
function collectErrors(page: Page) {
  let errors: string[] = []
  // The browser reports a refused call as an error, though a refusal is an expected reply.
  const isRefusal = (text: string) => text.includes('status of 422')
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
  // Only a development build of React recommends its tools; it is slower, and mounts everything twice.
  const isDevelopmentBuild = (text: string) => text.includes('React DevTools')
  page.on('console', (message) => {
    const text = message.text()
    if ((message.type() === 'error' && !isRefusal(text)) || isDevelopmentBuild(text)) errors.push(text)
  })
  return async () => {
    const found = [...errors, ...(await page.evaluate(() => window.refused.splice(0)))]
    errors = []
    return found
  }
}

/** Animations under way in what is drawn; those of rows that are not drawn rest, and never end. */
const countMoving = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
        .map(({ effect }) => (effect as KeyframeEffect).target)
        .filter((target) => target?.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).length,
  )

/** Waits until everything is loaded and faded in: axe would measure the contrast of a colour that is still changing. */
export async function waitUntilStill(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect.poll(() => countMoving(page), 'animations under way').toBe(0)
}

/** Colours change at once when night becomes day, and what is loading is not faded. */
const disableFading = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      [aria-busy="true"] { opacity: 1 !important }
      *, ::before, ::after { transition: none !important }`)
    document.adoptedStyleSheets.push(sheet)
  })

/** Rows after the first ones are alike, and would take longer to check than all the rest. */
const REPEATED_ROWS = [
  ':is([data-testid="song-row"], [data-testid="rescue-row"]):nth-child(n + 4)',
  // Of the table of songs in the back office the first rows are open, selected or being edited.
  'tr[data-song]:nth-child(n + 8)',
]

/** Whether an element is half covered by the player, which does not scroll: scrolling the page uncovers it. */
const isBehindPlayer = async (page: Page, target: string): Promise<boolean> => {
  const [bar, element] = await Promise.all([player(page).boundingBox(), page.locator(target).first().boundingBox()])
  return !!bar && !!element && element.y + element.height > bar.y
}

/** Runs axe in the page itself: Playwright's adapter, which looks into frames, opens another page to add up what it found. */
async function findViolations(page: Page): Promise<axe.Result[]> {
  expect(page.frames(), 'documents of which only the first is checked').toHaveLength(1)
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

/** Each broken rule of axe once, with how often it is broken and where first. */
async function findFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { id, nodes } of await findViolations(page)) {
    const behind = await Promise.all(
      nodes.map(({ target }) => id === 'target-size' && isBehindPlayer(page, `${target}`)),
    )
    const [first, ...others] = nodes.filter((_, n) => !behind[n])
    if (first) faults.push(`${id}, ${others.length + 1} times: ${first.target} ${first.failureSummary}`)
  }
  return faults
}

const setScheme = (page: Page, scheme: 'dark' | 'light') =>
  page.evaluate((it) => document.documentElement.setAttribute('data-mantine-color-scheme', it), scheme)

/** How far the page reaches beyond the window sideways, in px. */
const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** The demo's staff have something to show on every screen of a member. */
async function fillLibrary(): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const [song, other] = await newestSongs(2)
  await ask(library.crateChange, { song_ids: [song!.entity_id, other!.entity_id] }, token)
  await ask(library.favouriteChange, { song_ids: [other!.entity_id] }, token)
  const heard = { song_version_id: firstOf(song!.version).song_version_id, listen_key: crypto.randomUUID() }
  await ask(listening.songPlayed, heard, token)
}

/** A player as it comes back after a reload: with a song, at rest. */
async function makeSavedPlayer(): Promise<string> {
  const [song] = await newestSongs(1)
  const entry = { song, version: firstOf(song!.version) }
  const levels = { volume: 1, muted: false, shuffle: false, repeat_one: false }
  return JSON.stringify({ queue: [entry], index: 0, position_seconds: 0, ...levels })
}

type Checked = { page: Page; takeErrors: () => Promise<string[]> }

async function openPage(browser: Browser, who: Member | undefined): Promise<Checked> {
  const stored: Record<string, string> = { 'dubplate.player': await makeSavedPlayer() }
  if (who) stored['dubplate.token'] = await tokenOf(who)
  const context = await openContext(browser)
  await context.addInitScript((it) => Object.assign(localStorage, it), stored)
  const page = await context.newPage()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const takeErrors = collectErrors(page)
  await load(page, NOWHERE)
  return { page, takeErrors }
}

/** Brings a page back to where the next screen begins: night, a wide window, nothing typed, no screen. */
async function closeScreen(page: Page): Promise<void> {
  await page.unrouteAll()
  // A panel that is not part of the address, such as the queue, stays open from screen to screen.
  const dialogs = page.getByRole('dialog')
  if ((await dialogs.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect(dialogs).toHaveCount(0)
  }
  await page.setViewportSize(DESKTOP)
  await setScheme(page, 'dark')
  await visit(page, NOWHERE)
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
}

/** One page for each role, kept open for all screens of a worker: loading the app takes longer than checking a screen. */
const test = base.extend<object, { pageOf: (who: Member | undefined) => Promise<Checked> }>({
  pageOf: [
    async ({ browser }, use) => {
      await fillLibrary()
      const pages = new Map<Member | undefined, Promise<Checked>>()
      await use((who) => {
        if (!pages.has(who)) pages.set(who, openPage(browser, who))
        return pages.get(who)!
      })
      for (const opened of pages.values()) await (await opened).page.context().close()
    },
    { scope: 'worker' },
  ],
})

/** Declares a test for each screen. A failed one ends its worker, and with it the pages: the next screen starts with fresh ones. */
export function checkScreens(screens: readonly Screen[]): void {
  for (const { name, isVisitors, who = 'staff@demo.test', open } of screens)
    test(`${name}: accessible by night at 1440 px and by day at 390 px, never wider than the window`, async ({
      pageOf,
    }) => {
      test.slow()
      const { page, takeErrors } = await pageOf(isVisitors ? undefined : who)
      await open(page)
      for (const window of [DESKTOP, TABLET, PHONE]) {
        await page.setViewportSize(window)
        await expect.poll(() => overflowOf(page), `px beyond a window of ${window.width}`).toBeLessThanOrEqual(0)
        if (window === PHONE) await setScheme(page, 'light')
        // Where a field was scrolled to, a link may be half covered by the header.
        await page.evaluate(() => scrollTo(0, 0))
        await waitUntilStill(page)
        if (window === TABLET) continue
        expect(await findFaults(page), `${window.width} px`).toEqual([])
      }
      expect(await takeErrors()).toEqual([])
      await closeScreen(page)
    })
}
