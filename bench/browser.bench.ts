import { type CDPSession, chromium, type Page } from '@playwright/test'
import { findInstalledBrowser } from '../scripts/browser.mjs'
import type { BenchPool } from './bench-pool.ts'
import { openCurator } from './callers.ts'
import { quantile } from './measure.ts'
import { addPlayableSongs } from './playable-songs.ts'
import { atMostTarget, type Finding, ms, type Report } from './results.ts'

const SCREENS = [
  '/newRelease',
  '/charts',
  '/genres/index',
  '/spotlight/index',
  '/playlist',
  '/favourite-songs',
  '/crate',
]
const FEW_NAVIGATIONS = 5
const MANY_NAVIGATIONS = 50
/** Rows of the longest list: the songs table of the back office. Members' lists have pages of 24. */
const ROWS = 1000
const LIST_PAGE = 24
const SHORT_SECONDS = 6
const PLAYED_PAGES = 9
const LONG_SECONDS = 180
const STARTS = 20
const MAX_START_MS = 150
/** What a leak of one screen or song adds after the growth of caches that are bounded. */
const MAX_GROWTH_MB = 2

/** Longer than the page keeps replies that no screen uses. */
const CACHE_MS = 10 * 60_000

/** Longer than the pointer has to rest on a row for its song to be prepared, and as long as a person needs to press. */
const REST_MS = 400
/** How long a button of a mouse is held. */
const PRESS_MS = 80

/** Exposes the audio element that was played last; none is part of the document. */
const EXPOSE_AUDIO = `window.Audio = new Proxy(Audio, {
  construct(Native, args) {
    const element = new Native(...args)
    window.audio ??= element
    element.addEventListener('play', () => (window.audio = element))
    return element
  },
})`

type Opened = { page: Page; session: CDPSession }

/** What a browser in use for a long time needs, as a member. */
export async function benchBrowser(pool: BenchPool): Promise<Report> {
  await addPlayableSongs(pool, STARTS + 1, LONG_SECONDS)
  const server = await pool.startServer()
  const browser = await chromium.launch({
    executablePath: findInstalledBrowser(),
    args: ['--no-sandbox', '--mute-audio', '--disable-gpu'],
  })
  const withPage = async (
    token: string,
    address: string,
    measure: (opened: Opened) => Promise<Finding[]>,
    { inRealTime = false } = {},
  ) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
    try {
      const page = await context.newPage()
      // With a clock that can be set, the page measures no real time.
      if (!inRealTime) await page.clock.install()
      await page.addInitScript(`localStorage.setItem('dubplate.token', '${token}')\n${EXPOSE_AUDIO}`)
      await page.goto(`http://127.0.0.1:${server.port}${address}`)
      const session = await context.newCDPSession(page)
      await session.send('Performance.enable')
      return await measure({ page, session })
    } finally {
      await context.close()
    }
  }
  try {
    const curator = await openCurator(pool.sql)
    const inRealTime = true
    const findings = [
      ...(await withPage(pool.token, '/newRelease', measureStarts(pressPlay('pressed at once', 0)), { inRealTime })),
      ...(await withPage(pool.token, '/newRelease', measureStarts(pressPlay('after resting on it', REST_MS)), {
        inRealTime,
      })),
      ...(await withPage(pool.token, '/newRelease', measureStarts(pressNextKey), { inRealTime })),
      ...(await withPage(pool.token, '/newRelease', measureNavigation)),
      ...(await withPage(curator, `/staff/songs?size=${ROWS}`, measureLongList)),
    ]
    await addPlayableSongs(pool, PLAYED_PAGES * LIST_PAGE, SHORT_SECONDS)
    findings.push(...(await withPage(pool.token, '/newRelease', measureListening)))
    return {
      title: 'The browser over time',
      findings,
      notes: [
        `Chromium, 1440 × 900; memory after a forced garbage collection, once cached replies have expired. Songs have ${SHORT_SECONDS} s, and for the time from the press to the sound ${LONG_SECONDS} s; the sound began when the position of the audio was 0, which is reckoned back from the first moment the page sees it move. “After resting on it” is with the pointer on the row for ${REST_MS} ms, which prepares its song. A button is held for ${PRESS_MS} ms, which do not count.`,
      ],
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

type Usage = { heap_mb: number; nodes: number; listeners: number; audioBuffers: number }

/** Reads the usage once the caches of the page have dropped what is not on screen. */
async function readUsage({ page, session }: Opened): Promise<Usage> {
  await page.clock.fastForward(CACHE_MS)
  await waitUntilLoaded(page)
  await session.send('HeapProfiler.collectGarbage')
  const audioBuffers = await countObjects(session, 'AudioBuffer')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  return {
    heap_mb: metric('JSHeapUsedSize') / 1e6,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    audioBuffers,
  }
}

/** The number of reachable objects of a class of the page. */
async function countObjects(session: CDPSession, className: string): Promise<number> {
  const objectGroup = 'counted'
  const { result } = await session.send('Runtime.evaluate', { expression: `${className}.prototype`, objectGroup })
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
    objectGroup,
  })
  const { result: properties } = await session.send('Runtime.getProperties', {
    objectId: objects.objectId ?? '',
    ownProperties: true,
  })
  await session.send('Runtime.releaseObjectGroup', { objectGroup })
  return properties.filter(({ name }) => /^\d+$/.test(name)).length
}

/** Rows that compare the usage of a page before and after it was used. */
const growth = (what: string, before: Usage, after: Usage): Finding[] => [
  {
    what: `${what}: JS heap`,
    ours: `${after.heap_mb.toFixed(1)} MB`,
    against: `${before.heap_mb.toFixed(1)} MB (before)`,
    ratio: after.heap_mb / before.heap_mb,
    target: atMostTarget(Number((after.heap_mb - before.heap_mb).toFixed(2)), MAX_GROWTH_MB, ' MB more'),
  },
  ...(['nodes', 'listeners', 'audioBuffers'] as const).map((name) => ({
    what: `${what}: ${{ nodes: 'DOM nodes', listeners: 'event listeners', audioBuffers: 'audio buffers' }[name]}`,
    ours: String(after[name]),
    against: `${before[name]} (before)`,
    ...(before[name] ? { ratio: after[name] / before[name] } : {}),
  })),
]

const waitForFrames = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

/** Waits for the replies of a screen, and for all of its rows: those below the window are rendered when it is idle. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await waitForFrames(page)
}

async function navigate(page: Page, address: string): Promise<void> {
  await page.locator(`nav[aria-label=Main] a[href^="${address}"]`).first().click()
  await page.waitForURL((url) => url.pathname === address)
  await waitUntilLoaded(page)
}

async function measureNavigation({ page, session }: Opened): Promise<Finding[]> {
  const navigateTimes = async (count: number) => {
    for (let n = 0; n < count; n++) await navigate(page, SCREENS[n % SCREENS.length]!)
    await navigate(page, '/newRelease')
  }
  // Loads the code and the replies of every screen.
  await navigateTimes(SCREENS.length)
  await navigateTimes(FEW_NAVIGATIONS)
  const before = await readUsage({ page, session })
  await navigateTimes(MANY_NAVIGATIONS)
  return growth(
    `${MANY_NAVIGATIONS} navigations, compared with ${FEW_NAVIGATIONS}`,
    before,
    await readUsage({ page, session }),
  )
}

async function measureLongList({ page, session }: Opened): Promise<Finding[]> {
  await page.locator('tr[data-row]').first().waitFor()
  const before = await readUsage({ page, session })
  await page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('table[role=grid]').parentElement
    requestAnimationFrame(function scroll() {
      scroller.scrollBy(0, 600)
      if (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) requestAnimationFrame(scroll)
      else resolve()
    })
  })`)
  await waitForFrames(page)
  const rows = await page.locator('tr[data-row]').count()
  const what = `${ROWS} rows of the songs table, scrolled to the end`
  return [
    { what: `${what}: rows in the document`, ours: String(rows), against: `${ROWS} in the list` },
    ...growth(what, before, await readUsage({ page, session })),
  ]
}

/** Plays page after page of the newest songs; each song is played from just before its end. */
async function measureListening({ page, session }: Opened): Promise<Finding[]> {
  let before: Usage | undefined
  for (let n = 1; n <= PLAYED_PAGES; n++) {
    if (n > 1) await page.locator(`main nav a[href$="page=${n}"]`).first().click()
    await page.waitForURL(({ searchParams }) => (searchParams.get('page') ?? '1') === String(n))
    await waitUntilLoaded(page)
    await page.locator('[data-song] [data-row-play]').first().click()
    await page.evaluate(`new Promise((resolve) => {
      let ended = 0
      const skip = () => { if (audio.currentTime < audio.duration - 1) audio.currentTime = audio.duration - 0.2 }
      audio.addEventListener('playing', skip)
      audio.addEventListener('ended', function count() {
        if (++ended < ${LIST_PAGE}) return
        audio.removeEventListener('playing', skip)
        audio.removeEventListener('ended', count)
        resolve()
      })
      if (!audio.paused) skip()
    })`)
    if (n === 1) before = await readUsage({ page, session })
  }
  const played = PLAYED_PAGES * LIST_PAGE
  return growth(`${played} songs played, compared with ${LIST_PAGE}`, before!, await readUsage({ page, session }))
}

type Start = {
  /** In words: “pressed at once”. */
  how: string
  event: 'click' | 'keydown'
  /** Starts the song in row `n`. */
  start: (page: Page, n: number) => Promise<void>
}

const pressPlay = (how: string, rest_ms: number): Start => ({
  how,
  event: 'click',
  start: async (page, n) => {
    const button = page.locator('[data-song] [data-row-play]').nth(n)
    await button.hover()
    await page.waitForTimeout(rest_ms)
    await button.click({ delay: PRESS_MS })
  },
})

/** The first song of a visit is started with its button. */
const pressNextKey: Start = {
  how: 'with the key for the next song',
  event: 'keydown',
  start: async (page, n) => {
    if (n === 0) await page.locator('[data-song] [data-row-play]').first().focus()
    await page.waitForTimeout(REST_MS)
    await page.keyboard.press(n === 0 ? 'Enter' : 'n')
  },
}

/**
 * The time from pressing play to the sound. The position of the audio tells when that was: a page that is busy rendering
 * learns of it later.
 */
const measureStarts =
  ({ how, event, start }: Start) =>
  async ({ page }: Opened) => {
    const times: number[] = []
    await page.locator('[data-song] [data-row-play]').first().waitFor()
    await page.waitForLoadState('networkidle')
    for (let n = 0; n <= STARTS; n++) {
      await page.evaluate(`void (window.started = new Promise((resolve) => addEventListener('${event}', ({ timeStamp }) => {
      const last = window.lastSource
      const watch = () => {
        if (!audio.paused && !audio.seeking && audio.currentTime > 0 && audio.currentSrc !== last)
          resolve(performance.now() - timeStamp - audio.currentTime * 1000)
        else requestAnimationFrame(watch)
      }
      watch()
    }, { capture: true, once: true })))`)
      await start(page, n)
      times.push(await page.evaluate<number>('window.started'))
      await page.evaluate('window.lastSource = audio.currentSrc')
    }
    const [first = Number.NaN, ...later] = times
    const finding = (what: string, time: number): Finding => ({
      what: `from pressing play to sound, ${how}: ${what}`,
      ours: ms(time),
      against: '',
      target: atMostTarget(time, MAX_START_MS, ' ms'),
    })
    return [
      finding('the first song of a visit', first),
      finding(`the next ${STARTS} songs, p50`, quantile(later, 0.5)),
      finding(`the next ${STARTS} songs, p95`, quantile(later, 0.95)),
    ]
  }
