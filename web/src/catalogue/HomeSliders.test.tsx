import { charts, spotlights } from '@dubplate/contract'
import { afterEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'

afterEach(() => page.viewport(1440, 900))

const cards = page.getByRole('region', { name: 'Curated spotlights' })
const covers = page.getByRole('region', { name: 'Monthly top 20' })

/** The number of items of a slider that are completely visible. */
const wholeItems = (slider: Locator) => () => {
  const track = slider.getByRole('list').element()
  const { left, right } = track.getBoundingClientRect()
  const isExpanded = (box: DOMRect) => box.left >= Math.max(0, left) - 1 && box.right <= Math.min(right, innerWidth) + 1
  return [...track.children].filter((item) => isExpanded(item.getBoundingClientRect())).length
}

/** Opens the start page with eight spotlights and eight monthly charts, and scrolls until both sliders are shown. */
async function openHome() {
  const eight = Array.from({ length: 8 }, (_, n) => n + 1)
  const curatedlist = eight.map((n) => ({
    curated_list_id: n,
    title: `Spotlight ${n}`,
    image: '/images/list/320.webp',
    created_by: 'Ada Vale',
    song_count: 12,
  }))
  fakeApi.reply(spotlights.getSpotlights, { curatedlist })
  fakeApi.reply(charts.getTop20Tracks, {
    tracks: eight.map((n) => ({ top20_track_id: n, title: `Month ${n}`, cover_image: '/images/month/320.webp' })),
  })
  await openApp('/')
  await expect.poll(() => cards.getByRole('listitem').elements().length).toBe(8)
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  await expect.poll(() => covers.getByRole('listitem').elements().length).toBe(8)
  scrollTo({ top: 0, behavior: 'instant' })
}

test('show as many whole items as fit in the window', async () => {
  await openHome()
  for (const [width, count] of [
    [1720, 4],
    [1620, 3],
    [1000, 2],
    [390, 1],
  ] as const) {
    await page.viewport(width, 900)
    await expect.poll(wholeItems(cards), { message: `whole spotlights at ${width} px` }).toBe(count)
    if (width >= 1440) await expect.poll(wholeItems(covers), { message: `whole covers at ${width} px` }).toBe(5)
  }
  await page.viewport(1440, 900)
  await expect.poll(wholeItems(covers)).toBe(5)
})

test('scroll forward and back with their arrows', async () => {
  await openHome()
  const first = cards.getByRole('link', { name: 'Spotlight 1' })
  await expect.element(first).toBeInViewport({ ratio: 1 })
  await cards.getByRole('button', { name: 'Next in Curated spotlights' }).click()
  await expect.element(first).not.toBeInViewport()
  await cards.getByRole('button', { name: 'Previous in Curated spotlights' }).click()
  await expect.element(first).toBeInViewport({ ratio: 1 })
})
