import { catalogue, charts, spotlights } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, songList, titlesIn } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong, makeSongs, singlePage } from '../../test/samples.ts'

const genres = [
  { genre_id: 31, name: 'Afro House' },
  { genre_id: 7, name: 'Techno' },
]
const ranked = { ...makeSong({ title: 'Most wanted' }), rank: 1, downloads: 12 }
const image = '/images/cover/320.webp'

beforeEach(() => {
  fakeApi.reply(catalogue.homePageGenres, { genres, default_genre_id: 31 })
  fakeApi.reply(catalogue.getGenresSong, ({ genre_id }) =>
    genre_id === 7 ? { genre: genres[1]!, songs: makeSongs(2, 200) } : { genre: genres[0]!, songs: makeSongs(3, 100) },
  )
})

test('shows spotlights, songs of a genre, new releases, the top 20 and charts', async () => {
  const list = { curated_list_id: 1, title: 'Summer', image, created_by: 'Ada', song_count: 8 }
  fakeApi.reply(spotlights.getSpotlights, { curatedlist: [list] })
  fakeApi.reply(catalogue.getNewRelease, { songs: makeSongs(2, 300), pagination: singlePage(2) })
  fakeApi.reply(charts.getTop20Tracks, { tracks: [{ top20_track_id: 1, title: 'June', cover_image: image }] })
  fakeApi.reply(charts.getMostDownloadedToday, { songs: [ranked] })
  fakeApi.reply(charts.getTrendingTracks, { songs: [ranked] })
  await openApp('/')
  await expect.poll(() => titlesIn(songList('Songs in Afro House'))).toHaveLength(3)
  await expect.element(page.getByRole('heading', { level: 2, name: 'Afro House', exact: true })).toBeVisible()
  // Sections below the first screen load when they are near the viewport.
  const lastSections = [
    page.getByRole('region', { name: 'Monthly top 20' }),
    page.getByRole('heading', { name: 'Top 30 trending' }),
  ]
  for (const part of lastSections)
    await expect
      .poll(() => {
        scrollTo(0, document.documentElement.scrollHeight)
        return part.elements().length
      })
      .toBe(1)
  for (const name of ['Curated spotlights', 'New releases', 'Monthly top 20', 'Most downloaded today'])
    await expect.element(page.getByRole('heading', { name })).toBeVisible()
  await expect.poll(() => titlesIn(songList('New releases'))).toHaveLength(2)
  scrollTo(0, 0)
})

test('shows the genre of a chip or of the URL', async () => {
  const chip = page.getByRole('group', { name: 'Filter by genre' }).getByRole('button', { name: 'Techno' })
  await openApp('/')
  await expect.element(chip).toHaveAttribute('aria-pressed', 'false')
  await chip.click()
  await expect.element(chip).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(currentUrl).toBe('/?genre=7')
  await expect.poll(() => titlesIn(songList('Songs in Techno'))).toEqual(['Song 1', 'Song 2'])

  await openApp('/?genre=7')
  await expect.element(chip).toHaveAttribute('aria-pressed', 'true')
  await expect.element(songList('Songs in Techno')).toBeVisible()
})

test('shows the second chart and the right column after the charts above have loaded, so that nothing moves', async () => {
  fakeApi.reply(charts.getTrendingTracks, { songs: [ranked] })
  const releases = [fakeApi.holdReply(charts.getMostDownloadedToday), fakeApi.holdReply(charts.getTrendingTracks)]
  await openApp('/')
  const headings = ['Most downloaded today', 'Top 30 trending'].map((name) => page.getByRole('heading', { name }))
  const around = page.getByRole('complementary', { name: 'More to explore' })
  const shown = () => [...headings, around].map((each) => each.elements().length)
  await expect.poll(shown).toEqual([1, 0, 0])
  await expect.poll(() => fakeApi.inputsOf(charts.getTrendingTracks)).toHaveLength(1)
  const column = page.getByRole('complementary', { name: 'Charts' }).element().parentElement!
  // The column reserves space for what has not loaded, so that the footer of narrow windows does not move either.
  expect(column.offsetHeight).toBeGreaterThan(1200)
  releases[0]!()
  await expect.element(page.getByText('No downloads yet today.')).toBeVisible()
  expect(shown()).toEqual([1, 1, 0])
  releases[1]!()
  await expect.poll(shown).toEqual([1, 1, 1])
})
