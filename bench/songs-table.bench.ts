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

/**
 * Scrolls as fast as a flick of the finger, at the full speed of the processor: the table, and then in its place the
 * same rows without React, all in the document. This is the last measurement, because the table does not work after it.
 */
async function measureScrolling(page: Page, session: CDPSession): Promise<Finding> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const frames = await scrollThrough(page)
  await page.evaluate(`{
    const scroller = ${SCROLLER}
    const copy = scroller.cloneNode(true)
    const rows = [...copy.querySelectorAll('tr[data-row]')]
    const all = Array.from({ length: ${ROWS} }, (_, n) => rows[n % rows.length].cloneNode(true))
    copy.querySelector('tbody').replaceChildren(...all)
    scroller.replaceWith(copy)
  }`)
  await waitForFrames(page)
  const plainFrames = await scrollThrough(page)
  return {
    what: `scrolling ${SCROLLED_PX} px a frame: time between frames, mean`,
    ours: describeFrames(frames),
    against: `${describeFrames(plainFrames)} (the same rows without React)`,
    ratio: mean(frames) / mean(plainFrames),
  }
}

const SCROLLER = `document.querySelector('table[role=grid]').parentElement`

/** The times between the frames, in milliseconds. */
async function scrollThrough(page: Page): Promise<number[]> {
  await page.evaluate(`new Promise((resolve) => {
      const scroller = ${SCROLLER}
      scroller.scrollTo(0, 0)
      frames.length = 0
      let left = ${SCROLLED_FRAMES}
      requestAnimationFrame(function scroll() {
        scroller.scrollBy(0, ${SCROLLED_PX})
        if (--left > 0) requestAnimationFrame(scroll)
        else resolve()
      })
    })`)
  return page.evaluate<number[]>('frames')
}

const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length

const describeFrames = (times: readonly number[]) => `${ms(mean(times))} (p95 ${ms(quantile(times, 0.95))})`
