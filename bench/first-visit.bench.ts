import { type Browser, chromium, type Page, type Route } from '@playwright/test'
import { findInstalledBrowser } from '../scripts/browser.mjs'
import type { BenchPool } from './bench-pool.ts'
import { median } from './measure.ts'
import { type Finding, ms, type Report } from './results.ts'

/** Lighthouse's “slow 4G” and its mobile processor, applied by the browser instead of estimated. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 750_000 / 8 }
const CPU_SLOWDOWN = 4
const ROUNDS = 9

type Transform = (page: string) => string

/** Removes the inline script that contains a text. */
const withoutScript =
  (text: string): Transform =>
  (page) =>
    page.replace(/<script>[\s\S]*?<\/script>/g, (script) => (script.includes(text) ? '' : script))

/** Puts the stylesheet back into the head, where it blocks the first paint. */
const withBlockingStylesheet: Transform = (page) => {
  const [link = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(page) ?? []
  return page.replace(link, '').replace('</head>', `${link}</head>`)
}

/** Removes the replies that the server adds to the home page. */
const withoutReplies: Transform = (page) => page.replace(/<script[^>]* id="replies">[^<]*<\/script>/, '')

/** What our build plugins and the server do to the page, each with the page it is for and the way to undo it. */
const STEPS: { name: string; address: string; undo: Transform }[] = [
  { name: 'early-code.ts, new releases', address: '/newRelease', undo: withoutScript('modulepreload') },
  { name: 'app-shell.ts, deferred stylesheet, new releases', address: '/newRelease', undo: withBlockingStylesheet },
  { name: 'home-page.ts, home', address: '/', undo: withoutReplies },
]

type Visit = { firstPaint: number; content: number }

/** Opens a page for the first time; returns when something and when its songs were shown, in milliseconds. */
async function visit(browser: Browser, url: string, transform: Transform): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await page.route(url, (route) => fulfillTransformed(route, transform))
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', NETWORK)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'commit' })
    const content = await whenSongsAreShown(page)
    const firstPaint = await page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN`,
    )
    return { firstPaint, content }
  } finally {
    await context.close()
  }
}

async function fulfillTransformed(route: Route, transform: Transform): Promise<void> {
  const response = await route.fetch()
  const body = transform(await response.text())
  await route.fulfill({ response, body })
}

const MAX_WAIT_MS = 60_000

/** The time of the first frame with a song, since the start of the navigation. */
const whenSongsAreShown = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const look = () => {
      if (document.querySelector('main a[href*="/song/"]')) return resolve(performance.now())
      if (performance.now() > ${MAX_WAIT_MS}) return reject(new Error('No songs on ' + location.pathname))
      requestAnimationFrame(look)
    }
    look()
  })`)

/** What our own build plugins and the replies in the home page gain on a slow phone, compared with the same page without them. */
export async function benchFirstVisit(pool: BenchPool): Promise<Report> {
  const server = await pool.startServer()
  const browser = await chromium.launch({ executablePath: findInstalledBrowser(), args: ['--no-sandbox'] })
  try {
    const findings: Finding[] = []
    for (const { name, address, undo } of STEPS) {
      const url = `http://127.0.0.1:${server.port}${address}`
      const [ours, without]: [Visit[], Visit[]] = [[], []]
      await visit(browser, url, (page) => page)
      // They take turns, so that other work of the machine slows both.
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await visit(browser, url, (page) => page))
        without.push(await visit(browser, url, undo))
      }
      for (const what of ['firstPaint', 'content'] as const) {
        const [a, b] = [ours, without].map((visits) => median(visits.map((each) => each[what]))) as [number, number]
        const label = what === 'firstPaint' ? 'first paint' : 'songs shown'
        findings.push({ what: `${name}: ${label}`, ours: ms(a), against: `${ms(b)} (without)`, ratio: a / b })
      }
    }
    const note = `Medians of ${ROUNDS} first visits each, as a visitor, over 1.6 Mbit/s with 150 ms latency and a processor slowed down ${CPU_SLOWDOWN} times (the mobile settings of Lighthouse).`
    return { title: 'First visit', findings, notes: [note] }
  } finally {
    await browser.close()
    await server.stop()
  }
}
