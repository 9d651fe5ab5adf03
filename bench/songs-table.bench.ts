import { type CDPSession, chromium, type Page } from '@playwright/test'
import { findInstalledBrowser } from '../scripts/browser.mjs'
import type { BenchPool } from './bench-pool.ts'
import { openCurator } from './callers.ts'
import { quantile } from './measure.ts'
import { atMostTarget, type Finding, ms, type Report } from './results.ts'

const ROWS = 1000
const CPU_SLOWDOWN = 4
const ROUNDS = 20
const MAX_INTERACTION_MS = 200
const FRAME_MS = 1000 / 60
const SCROLLED_FRAMES = 240
const SCROLLED_PX = 60

/** Collects the time from each interaction to the next paint (Event Timing), and between the frames of the page. */
const OBSERVER = `
  window.interactions = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) interactions.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  window.frames = []
  let last = performance.now()
  requestAnimationFrame(function frame(now) {
    frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  })`

/** The songs table of the back office with 1,000 rows, in a browser on a slow processor. */
export async function benchSongsTable(pool: BenchPool): Promise<Report> {
  const server = await pool.startServer()
  const browser = await chromium.launch({ executablePath: findInstalledBrowser(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const token = await openCurator(pool.sql)
    await page.addInitScript(`localStorage.setItem('dubplate.token', '${token}')\n${OBSERVER}`)
    await page.goto(`http://127.0.0.1:${server.port}/staff/songs?size=${ROWS}`)
    await page.locator('tr[data-row]').first().waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    return {
      title: 'The songs table',
      findings: [...(await measure(page)), await measureScrolling(page, session)],
      notes: [
        `${ROWS.toLocaleString('en')} songs in the table, with a processor that is slowed down ${CPU_SLOWDOWN} times; from an interaction to the next paint (Event Timing), the 75th percentile of ${ROUNDS} as in Web Vitals.`,
      ],
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function measure(page: Page): Promise<Finding[]> {
  const { keyboard } = page
  await page.locator('td[data-column=artist]').nth(2).click()
  const press =
    (...keys: string[]) =>
    async () => {
      for (const key of keys) await keyboard.press(key)
    }
  const interactions: [string, () => Promise<void>][] = [
    ['moving by a row', press('ArrowDown')],
    ['moving by a cell', press('ArrowRight')],
    ['moving to the last row and back', press('Control+ArrowDown', 'Control+ArrowUp')],
    ['opening an editor and closing it', press('Home', 'ArrowRight', 'F2', 'Escape')],
    ['selecting a row', press('Space')],
  ]
  const findings: Finding[] = []
  for (const [what, interact] of interactions) findings.push(await measureInteraction(page, what, interact))
  await press('Control+Home', 'ArrowRight', 'F2')()
  findings.push(await measureInteraction(page, 'typing a character', press('x')))
  await keyboard.press('Escape')
  findings.push(
    await measureInteraction(page, 'opening the side panel and closing it', async () => {
      await keyboard.press('Control+Enter')
      await page.locator('aside').waitFor()
      await keyboard.press('Escape')
    }),
  )
  return findings
}

async function measureInteraction(page: Page, what: string, interact: () => Promise<void>): Promise<Finding> {
  await page.evaluate('interactions.length = 0')
  for (let round = 0; round < ROUNDS; round++) {
    await interact()
    await waitForFrames(page)
  }
  const times = await page.evaluate<number[]>('interactions')
  // Interactions of less than 16 ms are not reported.
  const [half, most, slowest] = [0.5, 0.75, 1].map((share) => quantile([0, ...times], share)) as [
    number,
    number,
    number,
  ]
  return {
    what,
    ours: `${ms(most)} (median ${ms(half)}, slowest ${ms(slowest)})`,
    against: '',
    target: atMostTarget(most, MAX_INTERACTION_MS, ' ms'),
  }
}

const waitForFrames = (page: Page) =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  )

/** Scrolls as fast as a flick of the finger, at the full speed of the processor. */
async function measureScrolling(page: Page, session: CDPSession): Promise<Finding> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.evaluate(`frames.length = 0
    new Promise((resolve) => {
      const scroller = document.querySelector('table[role=grid]').parentElement
      let left = ${SCROLLED_FRAMES}
      requestAnimationFrame(function scroll() {
        scroller.scrollBy(0, ${SCROLLED_PX})
        if (--left > 0) requestAnimationFrame(scroll)
        else resolve()
      })
    })`)
  const frames = await page.evaluate<number[]>('frames')
  return {
    what: `scrolling ${SCROLLED_PX} px a frame: time between frames, median`,
    ours: `${ms(quantile(frames, 0.5))} (p95 ${ms(quantile(frames, 0.95))})`,
    against: `${ms(FRAME_MS)} (60 frames a second)`,
  }
}
