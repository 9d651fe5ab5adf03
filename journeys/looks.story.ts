import { AxeBuilder } from '@axe-core/playwright'
import { catalogue, library, player as listening, playlists } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  dialog,
  enterAs,
  expect,
  firstOf,
  newestSongs,
  player,
  rowsOf,
  searchBox,
  test,
  tokenOf,
} from './support.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Screen = {
  name: string
  /** Nobody is signed in; the front desk otherwise, who has a crate, favourites, playlists and a history. */
  isVisitors?: boolean
  open(page: Page): Promise<void>
}

/** Opens a list and plays its first song, so that what shows what plays is there as well. */
async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await rowsOf(page).first().locator('[data-row-play]').click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
}

async function openTiles(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link').first()).toBeVisible()
}

const aGenre = async () =>
  firstOf((await ask(catalogue.getGenresWithCount, {})).genres.filter(({ song_count }) => song_count > 1)).genre_id

const SCREENS: Screen[] = [
  {
    name: 'home',
    open: async (page) => {
      await openList(page, '/')
      await expect(page.getByRole('complementary', { name: 'Charts' }).getByRole('listitem').first()).toBeVisible()
      await expect(page.getByRole('note').first()).not.toBeEmpty()
    },
  },
  { name: 'charts', open: (page) => openList(page, '/charts') },
  { name: 'new releases', open: (page) => openList(page, '/newRelease') },
  { name: 'genres', open: (page) => openTiles(page, '/genres/index') },
  { name: 'genre', open: async (page) => openList(page, `/genres/view/${await aGenre()}`) },
  { name: 'spotlights', open: (page) => openTiles(page, '/spotlight/index') },
  { name: 'spotlights of a genre', open: (page) => openTiles(page, '/spotlight/filter/1') },
  {
    name: 'spotlight',
    open: async (page) => {
      const { curatedlist } = await ask(catalogue.getSpotlights, {})
      await openList(page, `/spotlight/view/${firstOf(curatedlist).curated_list_id}`)
    },
  },
  { name: 'top 20', open: (page) => openTiles(page, '/top20/tracks') },
  { name: 'collection', open: (page) => openList(page, '/top20/songs/1') },
  { name: 'song', open: async (page) => openList(page, `/song/${firstOf(await newestSongs(1)).entity_id}`) },
  { name: 'recently played', open: (page) => openList(page, '/recentPlayed') },
  { name: 'favourites', open: (page) => openList(page, '/favourite-songs') },
  { name: 'crate', open: (page) => openList(page, '/crate') },
  { name: 'playlists', open: (page) => openTiles(page, '/playlist') },
  {
    name: 'playlist',
    open: async (page) => {
      const { playlists: own } = await ask(playlists.getPlaylists, {}, await tokenOf('staff@demo.test'))
      await openList(page, `/playlist/${firstOf(own).playlist_id}`)
    },
  },
  {
    name: 'news',
    open: async (page) => {
      await page.goto('/news')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'search',
    open: async (page) => {
      await openList(page, '/search/result/bpm:61 -remix')
      await searchBox(page).fill('key:')
      await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'a search for nothing',
    open: async (page) => {
      await page.goto('/search/result/zzqxwvk artist:nobody')
      await expect(page.getByRole('heading', { name: /^Nothing found/ })).toBeVisible()
    },
  },
  {
    name: 'palette',
    open: async (page) => {
      await openList(page, '/newRelease')
      await page.keyboard.press('Control+k')
      await expect(dialog(page, 'Commands').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'queue',
    open: async (page) => {
      await openList(page, '/newRelease')
      await rowsOf(page)
        .nth(1)
        .click({ button: 'right', position: { x: 8, y: 8 } })
      await page.getByRole('menuitem', { name: 'Add to queue' }).click()
      await page.getByTestId('queue').click()
      await expect(page.getByRole('dialog', { name: 'Queue' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'sign-in',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/recentPlayed?dialog=sign-in')
      await expect(dialog(page, 'Sign in').getByRole('button', { name: 'staff@demo.test' })).toBeVisible()
    },
  },
  {
    name: 'plans',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/subscription/plans')
      await expect(page.getByRole('heading', { name: 'A paid plan is needed to download' })).toBeVisible()
    },
  },
  {
    name: 'a wrong address',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { name: 'Nothing here' })).toBeVisible()
    },
  },
]

const DESK = { width: 1440, height: 900 }
const WINDOWS = [DESK, { width: 1000, height: 844 }, { width: 390, height: 844 }]
const PHONE = WINDOWS[2]!

/** What a browser complains about: errors on its console, and what the content security policy refused. */
function complaintsOf(page: Page) {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return async () => [...errors, ...(await page.evaluate(() => window.refused))]
}

/**
 * Everything is there, and faded in: a colour on its way would be measured instead of the one that stays. What is not
 * drawn (rows far below, on a phone) rests, and its animations with it: these never end.
 */
async function untilStill(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .filter(({ effect }) =>
          (effect as KeyframeEffect).target?.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }),
        )
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
}

/** Rows below the first ones are like them, and would take longer to look at than all the rest. */
const LIKE_THOSE_ABOVE = '[data-testid="song-row"]:nth-child(n + 4)'

/** What lies half behind the player, which never scrolls, comes out from there with the page. */
const isBehindPlayer = async (page: Page, target: string): Promise<boolean> => {
  const [bar, thing] = await Promise.all([player(page).boundingBox(), page.locator(target).first().boundingBox()])
  return !!bar && !!thing && thing.y + thing.height > bar.y
}

/** What axe finds: each rule once, with how often it is broken and where first. */
async function faultsOf(page: Page, axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.exclude(LIKE_THOSE_ABOVE).analyze()
  const faults: string[] = []
  for (const { id, nodes } of violations) {
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

for (const { name, isVisitors, open } of SCREENS) {
  test(`${name} is for everybody, by night and by day, in every window`, async ({ page }) => {
    test.slow()
    if (!isVisitors) await enterAs(page, 'staff@demo.test')
    const complaints = complaintsOf(page)
    await open(page)
    for (const window of WINDOWS) {
      await page.setViewportSize(window)
      await expect.poll(() => reachesOut(page), `px that reach beyond ${window.width}`).toBeLessThanOrEqual(0)
      await untilStill(page)
      // In between, everything that is on the desk or on the phone stands there again.
      if (window !== DESK && window !== PHONE) continue
      expect(await faultsOf(page, new AxeBuilder({ page }).withTags(RULES)), `${window.width} px by night`).toEqual([])
    }
    await dress(page, 'light')
    await untilStill(page)
    expect(await faultsOf(page, new AxeBuilder({ page }).withRules(['color-contrast'])), 'by day').toEqual([])
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
