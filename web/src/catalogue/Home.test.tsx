import { catalogue, charts, site, spotlights } from '@dubplate/contract'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { banner, currentUrl, songList, titlesIn } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, singlePage } from '../../test/samples.ts'

const genres = [
  { genre_id: 31, name: 'Afro House' },
  { genre_id: 7, name: 'Techno' },
]
const image = '/images/cover/320.webp'
const figures = {
  genres,
  default_genre_id: 31,
  song_count: 2481,
  genre_count: 15,
  new_song_count: 62,
  lowest_price: { price: '14.99', currency: 'USD', interval: 'month' as const },
}

const makeSpotlights = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    curated_list_id: i + 1,
    title: `Spotlight ${i + 1}`,
    image,
    created_by: 'Ada Vale',
    song_count: 12,
  }))

const makeChart = (count: number): charts.ChartedSong[] =>
  makeSongs(count, 500).map((song, i) => ({ ...song, rank: i + 1, downloads: 50 - i, rank_before: i + 1 }))

beforeEach(() => {
  fakeApi.reply(catalogue.homePageGenres, figures)
  fakeApi.reply(catalogue.getNewRelease, ({ genre_id }) => {
    const songs = genre_id === 7 ? makeSongs(2, 200) : makeSongs(24, 300)
    return { songs, pagination: singlePage(songs.length) }
  })
  fakeApi.reply(charts.getChart, { songs: makeChart(24), pagination: singlePage(24) })
  fakeApi.reply(spotlights.getSpotlights, { curatedlist: makeSpotlights(8) })
})

const newReleases = songList('New releases')
const spotlightBlock = page.getByRole('region', { name: 'Spotlights' })
const introduction = page.getByRole('region', { name: 'The record pool for working DJs' })

/** The number of items that are completely visible. */
const wholeItems = (block: Locator) => () => {
  const list = block.getByRole('list').element()
  const { left, right } = list.getBoundingClientRect()
  return [...list.children].filter((item) => {
    const box = item.getBoundingClientRect()
    return box.width > 0 && box.left >= left - 1 && box.right <= right + 1
  }).length
}

test('shows four spotlights, eight new releases and eight songs of this week’s chart', async () => {
  await openApp('/')
  await expect.poll(() => titlesIn(newReleases)).toHaveLength(8)
  // Blocks below the first screen load when they are near the viewport.
  scrollTo(0, document.documentElement.scrollHeight)
  await expect.poll(() => titlesIn(songList('This week’s chart'))).toHaveLength(8)
  scrollTo(0, 0)
  await expect.poll(wholeItems(spotlightBlock)).toBe(4)
  expect(fakeApi.inputsOf(charts.getChart)).toMatchObject([{ chart_type: 'weekly' }])
})

test('shows all songs of a block and fewer again, and keeps the focus', async () => {
  await openApp('/')
  const block = page.getByRole('region', { name: 'New releases' })
  await block.getByRole('button', { name: 'Show all 24' }).click()
  await expect.poll(() => titlesIn(newReleases)).toHaveLength(24)
  const fewer = block.getByRole('button', { name: 'Show fewer' })
  await expect.element(fewer).toHaveFocus()
  await fewer.click()
  await expect.poll(() => titlesIn(newReleases)).toHaveLength(8)
})

test('shows the genre of a chip or of the URL', async () => {
  const chip = page.getByRole('group', { name: 'Filter new releases by genre' }).getByRole('button', { name: 'Techno' })
  await openApp('/')
  await expect.element(chip).toHaveAttribute('aria-pressed', 'false')
  await chip.click()
  await expect.element(chip).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(currentUrl).toBe('/?genre=7')
  await expect.poll(() => titlesIn(newReleases)).toEqual(['Song 1', 'Song 2'])

  await openApp('/?genre=7')
  await expect.element(chip).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => titlesIn(newReleases)).toEqual(['Song 1', 'Song 2'])
})

test('is less than 2,200 px tall at 1440 px for a visitor, with every block', async () => {
  await page.viewport(1440, 900)
  const announcement = { message_id: 1, page_name: 'mp3_home', message: 'New transitions', published_at: '2026-11-20' }
  fakeApi.reply(site.getAnnouncements, { announcements: [announcement] })
  const product = { id: 1, title: 'Slipmats', image: { src: image }, url: 'https://store.test/1', price: '24.00 EUR' }
  fakeApi.reply(site.getProducts, { products: [product], store_url: 'https://store.test' })
  await openApp('/')
  await expect.element(introduction).toBeVisible()
  const last = page.getByRole('region', { name: 'Official merchandise' })
  const footer = page.getByRole('contentinfo').getByRole('link', { name: 'Terms' })
  await expect
    .poll(() => {
      scrollTo(0, document.documentElement.scrollHeight)
      return last.elements().length + footer.elements().length
    })
    .toBe(2)
  expect(document.documentElement.scrollHeight).toBeLessThan(2200)
  scrollTo(0, 0)
})

test('hides the chart before the first download of a week', async () => {
  fakeApi.reply(charts.getChart, { songs: [], pagination: singlePage(0) })
  await openApp('/')
  await expect.poll(() => fakeApi.inputsOf(charts.getChart)).toHaveLength(1)
  await expect.element(page.getByRole('heading', { name: 'This week’s chart' })).not.toBeInTheDocument()
})

test('offers more spotlights to the right on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openApp('/')
  await expect.poll(() => spotlightBlock.getByRole('listitem').elements().length).toBe(8)
  expect(wholeItems(spotlightBlock)()).toBe(2)
})

test('tells visitors what the pool is, its size and its price, and how to join', async () => {
  const release = fakeApi.holdReply(catalogue.homePageGenres)
  await openApp('/')
  await expect.element(introduction.getByRole('link', { name: 'See plans' })).toBeVisible()
  const { height } = introduction.element().getBoundingClientRect()
  release()
  await expect.element(introduction.getByText('From $14.99 a month. Cancel anytime.')).toBeVisible()
  for (const figure of ['2,481', '15', '62'])
    await expect.element(introduction.getByText(figure, { exact: true })).toBeVisible()
  // The band keeps its height when the figures arrive.
  expect(introduction.element().getBoundingClientRect().height).toBe(height)
  await introduction.getByRole('button', { name: 'Join free' }).click()
  await expect.poll(currentUrl).toBe('/?dialog=create-account')
})

test('says that joining is free without plans, and counts new songs up to a thousand', async () => {
  fakeApi.reply(catalogue.homePageGenres, { ...figures, lowest_price: null, new_song_count: catalogue.MAX_NEW_SONGS })
  await openApp('/')
  await expect.element(introduction.getByText('Free to join.')).toBeVisible()
  await expect.element(introduction.getByText('1,000+')).toBeVisible()
})

test('keeps the introduction away once it was dismissed, and from members', async () => {
  await openApp('/')
  await introduction.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(introduction).not.toBeInTheDocument()
  await reopenApp('/')
  await expect.poll(() => titlesIn(newReleases)).toHaveLength(8)
  expect(introduction.elements()).toEqual([])

  localStorage.clear()
  signInAs(makeProfile())
  await reopenApp('/')
  await expect.element(banner.getByRole('button', { name: /account menu$/ })).toBeVisible()
  expect(introduction.elements()).toEqual([])
})
