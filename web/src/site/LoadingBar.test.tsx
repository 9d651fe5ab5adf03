import { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { songRows } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSongs, singlePage } from '../../test/samples.ts'

const bar = page.getByTestId('loading-bar')

/** The width of the bar over time as a fraction of the window, while nothing has loaded. */
function sharesOverTime(element: Element): number[] {
  const scale = () => new DOMMatrix(getComputedStyle(element).transform).a
  const animations = element.getAnimations().filter((animation) => animation instanceof CSSAnimation)
  const end_ms = Math.max(...animations.map(({ effect }) => Number(effect?.getComputedTiming().endTime)))
  return Array.from({ length: 61 }, (_, step) => {
    for (const animation of animations) animation.currentTime = (end_ms * step) / 60
    return scale()
  })
}

test('rises while a list is loading, never to the end, and disappears when it has loaded', async () => {
  const genre = { genre_id: 1, name: 'House' }
  const summary = { ...genre, image: '', song_count: 3, subgenre: [] }
  fakeApi.reply(catalogue.getGenresWithCount, { genres: [summary] })
  fakeApi.reply(catalogue.genreSongs, { genre, songs: makeSongs(3), pagination: singlePage(3) })
  const release = fakeApi.holdReply(catalogue.genreSongs)
  await openApp('/genres/index')
  await expect.element(page.getByRole('heading', { name: 'All genres' })).toBeVisible()
  await expect.element(bar).not.toHaveAttribute('data-loading')
  await expect.element(bar).toHaveStyle({ opacity: '0' })

  await page.getByRole('main').getByRole('link', { name: 'House' }).first().click()
  await expect.element(bar).toHaveAttribute('data-loading')
  await expect.element(bar).toHaveStyle({ opacity: '1' })
  const shares = sharesOverTime(bar.element())
  expect(shares[0]).toBeLessThan(0.05)
  expect(shares.at(-1)).toBeGreaterThan(0.9)
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.9501)
  release()
  await expect.element(songRows().first()).toBeVisible()
  await expect.element(bar).not.toHaveAttribute('data-loading')
  await expect.element(bar).toHaveStyle({ opacity: '0' })
})
