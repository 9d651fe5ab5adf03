import { camelotOrder, catalogue, parseKey } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, enterAs, expect, firstOf, listNamed, newestSongs, otherBrowser, rowOf, rowsOf, test } from './support.ts'

const titlesOf = (page: Page, name: string | RegExp) => listNamed(page, name).getByTestId('song-title').allInnerTexts()

test('the home page has its blocks and charts', async ({ page }) => {
  await page.goto('/')
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
  expect(await titlesOf(page, `Songs, ${genre.name}`)).toEqual(songs.map(({ title }) => title))
  await page.reload()
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
})

test('headings sort up, down and not at all; keys follow the Camelot wheel', async ({ page }) => {
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const genre = firstOf([...genres].sort((a, b) => b.song_count - a.song_count))
  const { songs } = await ask(catalogue.genreSongs, { genre_id: genre.genre_id })
  const name = `Songs, ${genre.name}`
  await page.goto(`/genres/view/${genre.genre_id}`)
  const heading = (text: string) => listNamed(page, name).getByRole('columnheader', { name: text })
  const shownSongs = async () => (await titlesOf(page, name)).map((title) => songs.find((song) => song.title === title))
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
  await expect.poll(() => titlesOf(page, name)).toEqual(songs.map(({ title }) => title))

  await press('Key')
  const onWheel = ({ song_key }: { song_key: string | null }) => camelotOrder(parseKey(song_key ?? 'C')!)
  await expect
    .poll(async () => (await shownSongs()).map((song) => onWheel(song!)))
    .toEqual(songs.map(onWheel).sort((a, b) => a - b))
})

test('pages are in the address; back restores the page and the place on it', async ({ page }) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\/newRelease\?page=2$/)
  const { songs, pagination } = await ask(catalogue.getNewRelease, { page: 2 })
  const all = pagination.totalCount
  await expect.poll(() => titlesOf(page, 'New releases')).toEqual(songs.map(({ title }) => title))
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

test('the search wants three characters, and finds in spite of a slip', async ({ page }) => {
  const song = firstOf((await newestSongs(60)).filter(({ artist }) => /^[a-z]{6,}\b/i.test(artist)))
  const word = /^[a-z]+/i.exec(song.artist)![0]
  const slip = word.slice(0, 2) + word[3] + word[2] + word.slice(4)
  await page.goto('/')
  const search = page.getByRole('searchbox', { name: 'Search songs and artists' })
  await search.fill(word.slice(0, 2))
  await search.press('Enter')
  await expect(page.getByRole('banner').getByRole('alert')).toContainText('Type at least 3 characters')
  await expect(page).toHaveURL(/\/$/)

  await search.fill(word)
  await search.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/search/result/${word}$`))
  await expect(rowOf(listNamed(page, 'Search results'), song)).toBeVisible()
  await expect(page.getByText('read forgivingly')).toBeHidden()

  await search.fill(slip)
  await search.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `Results for “${slip}”` })).toBeVisible()
  await expect(page.getByText('read forgivingly')).toBeVisible()
  await expect(rowOf(listNamed(page, 'Search results'), song)).toBeVisible()
})

test('a search that finds nothing, and one that is too narrow, say what to do', async ({ page }) => {
  await page.goto('/search/result/zzqxwvk')
  await expect(page.getByRole('heading', { name: 'Nothing found for “zzqxwvk”' })).toBeVisible()
  await expect(page.getByText('Try fewer words, or only the artist.')).toBeVisible()

  const word = firstOf(await newestSongs(1)).artist
  await page.goto(`/search/result/${encodeURIComponent(word)}?bpm=300-310`)
  await expect(page.getByText('The filters may be too narrow.')).toBeVisible()
  await page.getByRole('button', { name: 'Search without filters' }).click()
  await expect(rowsOf(listNamed(page, 'Search results')).first()).toBeVisible()
})

for (const [what, address] of [
  ['a genre that is not there', '/genres/view/999999'],
  ['a song that is not there', '/song/999999'],
  ['a genre that is no number', '/genres/view/house'],
  ['an address that is not there', '/no/such/page'],
] as const) {
  test(`${what} leads back to the start page`, async ({ page }) => {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Nothing here' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'To the start page' }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { name: 'Curated spotlights' })).toBeVisible()
  })
}

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
