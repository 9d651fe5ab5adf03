import { camelotOrder, catalogue, charts, parseKey, spotlights } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  comeDown,
  enterAs,
  expect,
  firstOf,
  listNamed,
  newestSongs,
  otherBrowser,
  rowOf,
  rowsOf,
  test,
  titlesOf,
} from './support.ts'

const titlesIn = (page: Page, name: string | RegExp) => titlesOf(listNamed(page, name))

test('the home page has its blocks and charts', async ({ page }) => {
  await page.goto('/')
  await expect(rowsOf(page).first()).toBeVisible()
  await comeDown(page)
  for (const name of [
    'Curated spotlights',
    'New releases',
    'Monthly top 20',
    'Most downloaded today',
    'Top 30 trending',
  ]) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  const { genre, songs } = await ask(catalogue.getGenresSong, {})
  await expect(page.getByRole('heading', { level: 2, name: genre.name, exact: true })).toBeVisible()
  await expect(rowsOf(listNamed(page, `Songs, ${genre.name}`))).toHaveCount(songs.length)
  const covers = page.getByRole('region', { name: 'Curated spotlights' }).locator('img')
  await expect.poll(() => covers.first().evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100)
})

test('what is far down the home page comes when one gets there, and the place is found again', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const { genre } = await ask(catalogue.getGenresSong, {})
  const songs = await newestSongs(24)
  await page.route(`**/api/${catalogue.getGenresSong.path}*`, (route) =>
    route.fulfill({ json: { data: { genre, songs } } }),
  )
  await page.goto('/')
  await expect(rowsOf(page).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain(`/api/${charts.getTop20Tracks.path}`)
  // The document asks for it, and the page takes that answer.
  expect(asked.filter((path) => path === `/api/${spotlights.getSpotlights.path}`)).toHaveLength(1)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const album = page.getByRole('region', { name: 'Monthly top 20' }).getByRole('link').nth(1)
  await album.scrollIntoViewIfNeeded()
  await expect(rowsOf(listNamed(page, 'New releases'))).toHaveCount(24)
  await page.waitForLoadState('networkidle')
  const place = () => page.evaluate(() => Math.round(scrollY))
  await album.scrollIntoViewIfNeeded()
  const before = await place()
  await album.click()
  await expect(page).toHaveURL(/\/top20\/songs\//)
  await page.goBack()
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(60)
})

test('a genre chip of the home page shows that genre, in the address too', async ({ page }) => {
  await page.goto('/')
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const { genres: chips } = await ask(catalogue.homePageGenres, {})
  const genre = firstOf(
    genres.filter(
      ({ genre_id, song_count }) => song_count > 1 && chips.slice(1).some((chip) => chip.genre_id === genre_id),
    ),
  )
  const chip = page
    .getByRole('group', { name: 'Genre of this list' })
    .getByRole('button', { name: genre.name, exact: true })
  await chip.click()
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(new RegExp(`\\?genre=${genre.genre_id}$`))
  const { songs } = await ask(catalogue.getGenresSong, { genre_id: genre.genre_id })
  await expect(listNamed(page, `Songs, ${genre.name}`)).toBeVisible()
  await expect.poll(() => titlesIn(page, `Songs, ${genre.name}`)).toEqual(songs.map(({ title }) => title))
  await page.reload()
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
})

test('headings sort up, down and not at all; keys follow the Camelot wheel', async ({ page }) => {
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  // The largest that has all its songs on one page.
  const onePage = genres.filter(({ song_count }) => song_count <= catalogue.SONGS_A_PAGE)
  const genre = firstOf(onePage.sort((a, b) => b.song_count - a.song_count))
  const { songs } = await ask(catalogue.genreSongs, { genre_id: genre.genre_id })
  const name = `Songs, ${genre.name}`
  await page.goto(`/genres/view/${genre.genre_id}`)
  const heading = (text: string) => listNamed(page, name).getByRole('columnheader', { name: text })
  const shownSongs = async () => (await titlesIn(page, name)).map((title) => songs.find((song) => song.title === title))
  const press = (text: string) => heading(text).getByRole('button').click()

  await expect(heading('BPM')).toHaveAttribute('aria-sort', 'none')
  await press('BPM')
  await expect(heading('BPM')).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/order=min_bpm&dir=ASC$/)
  const bpms = async () => (await shownSongs()).map((song) => song?.min_bpm ?? 0)
  const up = songs.map(({ min_bpm }) => min_bpm ?? 0).sort((a, b) => a - b)
  await expect.poll(bpms).toEqual(up)
  await press('BPM')
  await expect(heading('BPM')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(bpms).toEqual(up.toReversed())
  await press('BPM')
  await expect(heading('BPM')).toHaveAttribute('aria-sort', 'none')
  await expect.poll(() => titlesIn(page, name)).toEqual(songs.map(({ title }) => title))

  await press('Key')
  const onWheel = ({ song_key }: { song_key: string | null }) => camelotOrder(parseKey(song_key ?? 'C')!)
  await expect
    .poll(async () => (await shownSongs()).map((song) => onWheel(song!)))
    .toEqual(songs.map(onWheel).sort((a, b) => a - b))
})

test('pages are in the address; back restores the page and the place on it', async ({ page }) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\/newRelease\?page=2$/)
  await expect(pages.locator('[aria-current]'), 'the page one is on, and no other').toHaveText('2')
  const { songs, pagination } = await ask(catalogue.getNewRelease, { page: 2 })
  const all = pagination.totalCount
  await expect.poll(() => titlesIn(page, 'New releases')).toEqual(songs.map(({ title }) => title))
  await expect(page.getByText(`25–${Math.min(48, all)} of ${all}`)).toBeVisible()

  const far = songs[Math.min(20, songs.length - 1)]!
  const farRow = rowOf(page, far)
  await farRow.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 200)
  const place = () => page.evaluate(() => Math.round(window.scrollY))
  await expect.poll(place).toBeGreaterThan(300)
  await farRow.getByRole('link', { name: far.title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: far.title })).toBeVisible()
  await expect.poll(place).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/newRelease\?page=2$/)
  await expect(farRow.getByRole('link', { name: far.title, exact: true })).toBeInViewport()
  await page.goBack()
  await expect(page).toHaveURL(/\/newRelease$/)
  await expect(page.getByText(`1–24 of ${all}`)).toBeVisible()
})

test('an announcement that a member has hidden stays hidden, in another browser too', async ({ page, browser }) => {
  const note = (of: Page) => of.getByRole('note')
  const hide = { name: 'Hide this announcement' }
  await enterAs(page, 'label@demo.test')
  await page.goto('/newRelease')
  await expect(note(page)).toHaveCount(1)
  const told = page.waitForResponse(/hide-announcement/)
  await note(page).getByRole('button', hide).click()
  expect((await told).ok()).toBe(true)
  await expect(note(page)).toHaveCount(0)

  const other = await otherBrowser(browser)
  await other.goto('/newRelease')
  await expect(note(other)).toHaveCount(1)
  await enterAs(other, 'label@demo.test')
  await other.reload()
  await expect(rowsOf(other).first()).toBeVisible()
  await expect(note(other)).toHaveCount(0)
  await other.context().close()
})
