import { catalogue, charts, player as listening, site, spotlights } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  COMPOSED,
  comeDown,
  enterAs,
  expect,
  firstOf,
  listNamed,
  newestSongs,
  play,
  rowsOf,
  test,
  titlesOf,
  tokenOf,
} from './support.ts'

/** What a page asks by the next call of this path, and what it is answered. */
async function nextAnswer(page: Page, path: string) {
  const response = await page.waitForResponse((it) => new URL(it.url()).pathname === `/api/${path}`)
  return { asked: response.request().postDataJSON(), reply: (await response.json()).data }
}

type Chart = { asked: { chart_type?: string; genre_id?: number }; reply: { songs: charts.ChartedSong[] } }

/** What the next call of this path asks and is answered, once this is done. */
async function nextAnswerOf(page: Page, path: string, act: () => Promise<unknown>) {
  const [answer] = await Promise.all([nextAnswer(page, path), act()])
  return answer
}

/** Does what brings another chart, and answers with it. */
async function chartAfter(page: Page, act: () => Promise<unknown>): Promise<Chart> {
  const [chart] = await Promise.all([nextAnswer(page, charts.getChart.path), act()])
  return chart as Chart
}

/** Without what another story has published for this moment. */
const titles = (songs: { title: string }[]) =>
  songs.map(({ title }) => title).filter((title) => !title.startsWith(COMPOSED))
const ranksOf = (list: Locator) => rowsOf(list).locator('> [role=cell]:first-child')
const tilesOf = (page: Page) => page.locator('main [data-across="four"] > li b').filter({ hasNotText: COMPOSED })
const tab = (title: string) => `${title} · Dubplate`

test('each period of the charts has an address and a tab title of its own, and back returns to the one before', async ({
  page,
}) => {
  const period = (name: string) => page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name })
  const daily = await chartAfter(page, () => page.goto('/charts'))
  await expect(page).toHaveTitle(tab('Daily chart'))
  await expect(period('Daily')).toHaveAttribute('aria-current', 'page')
  expect(daily.asked.chart_type).toBe('daily')
  await expect.poll(() => titlesOf(listNamed(page, 'Daily chart'))).toEqual(titles(daily.reply.songs))

  const monthly = await chartAfter(page, () => period('Monthly').click())
  await expect(page).toHaveURL(/\/charts\?chart=monthly$/)
  await expect(page).toHaveTitle(tab('Monthly chart'))
  await expect(period('Monthly')).toHaveAttribute('aria-current', 'page')
  expect(monthly.asked.chart_type).toBe('monthly')
  await expect.poll(() => titlesOf(listNamed(page, 'Monthly chart'))).toEqual(titles(monthly.reply.songs))
  expect(titles(monthly.reply.songs)).not.toEqual(titles(daily.reply.songs))

  await page.goBack()
  await expect(page).toHaveURL(/\/charts$/)
  await expect(page).toHaveTitle(tab('Daily chart'))
  await expect(period('Daily')).toHaveAttribute('aria-current', 'page')
  await expect.poll(() => titlesOf(listNamed(page, 'Daily chart'))).toEqual(titles(daily.reply.songs))
})

/** A place on a chart as it is read out: `3 up 10 places`. */
function inWords({ rank, rank_before: before }: charts.ChartedSong): RegExp {
  if (before === null) return new RegExp(`^${rank}\\D.*new on the chart$`)
  if (before === rank) return new RegExp(`^${rank}\\D.*same place as before$`)
  const places = Math.abs(before - rank)
  return new RegExp(`^${rank}\\D.* ${before > rank ? 'up' : 'down'} ${places} place${places === 1 ? '' : 's'}$`)
}

test('a chart tells each song’s rank and how it moved in words, and keeps the ranks under another order', async ({
  page,
}) => {
  const list = listNamed(page, 'Weekly chart')
  const weekly = await chartAfter(page, () => page.goto('/charts?chart=weekly'))
  const { songs } = weekly.reply
  expect(songs.map(({ rank }) => rank)).toEqual(songs.map((_, i) => i + 1))
  expect(songs.some(({ rank_before }) => rank_before === null)).toBe(true)
  expect(songs.some(({ rank, rank_before }) => rank_before !== null && rank_before > rank)).toBe(true)
  expect(songs.some(({ rank, rank_before }) => rank_before !== null && rank_before < rank)).toBe(true)
  await expect(ranksOf(list)).toHaveText(songs.map(inWords))

  const title = list.getByRole('columnheader', { name: 'Title' })
  const sorted = await chartAfter(page, () => title.getByRole('button').click())
  await expect(page).toHaveURL(/chart=weekly&order=title&dir=ASC$/)
  await expect(title).toHaveAttribute('aria-sort', 'ascending')
  const ranks = sorted.reply.songs.map(({ rank }) => rank)
  expect(ranks).not.toEqual([...ranks].sort((a, b) => a - b))
  await expect.poll(() => titlesOf(list)).toEqual(titles(sorted.reply.songs))
  await expect(ranksOf(list)).toHaveText(sorted.reply.songs.map(inWords))
})

test('a genre chip makes a chart of that genre, in the address and the tab title too', async ({ page }) => {
  const { reply } = await chartAfter(page, () => page.goto('/charts?chart=monthly'))
  const genre = firstOf(reply.songs[1]?.genres ?? [])
  const chip = page
    .getByRole('group', { name: 'Genre', exact: true })
    .getByRole('button', { name: genre.name, exact: true })
  const ofGenre = await chartAfter(page, () => chip.click())
  await expect(page).toHaveURL(new RegExp(`\\?chart=monthly&genre=${genre.genre_id}$`))
  await expect(page).toHaveTitle(tab(`Monthly chart, ${genre.name}`))
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  const list = listNamed(page, 'Monthly chart')
  await expect.poll(() => titlesOf(list)).toEqual(titles(ofGenre.reply.songs))
  await expect(ranksOf(list)).toHaveText(ofGenre.reply.songs.map(inWords))
  expect(ofGenre.reply.songs.map(({ rank }) => rank)).toEqual(ofGenre.reply.songs.map((_, i) => i + 1))
  expect(ofGenre.reply.songs.length).toBeLessThan(reply.songs.length)
})

/** How many items of a slider are seen from edge to edge. */
const wholeItems = (slider: Locator) =>
  slider.getByRole('list').evaluate((track) => {
    const [left, right] = [Math.max(0, track.getBoundingClientRect().left), track.getBoundingClientRect().right]
    const isWhole = (box: DOMRect) => box.left >= left - 1 && box.right <= Math.min(right, innerWidth) + 1
    return [...track.children].filter((item) => isWhole(item.getBoundingClientRect())).length
  })

test('sliders show as many whole items as the window has room for', async ({ page }) => {
  await page.goto('/')
  const spotlights = page.getByRole('region', { name: 'Curated spotlights' })
  const covers = page.getByRole('region', { name: 'Monthly top 20' })
  await expect(spotlights.getByRole('link', { name: /songs?$/ }).first()).toBeVisible()
  await comeDown(page)
  await expect(covers.getByRole('listitem').nth(5)).toBeAttached()
  for (const [width, cards] of [
    [1720, 4],
    [1620, 3],
    [1000, 2],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => wholeItems(spotlights), `whole spotlights at ${width} px`).toBe(cards)
    if (width >= 1440) await expect.poll(() => wholeItems(covers), `whole covers at ${width} px`).toBe(5)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => wholeItems(covers)).toBe(5)

  const [first] = await spotlights.getByRole('listitem').all()
  await spotlights.getByRole('button', { name: 'Forward in Curated spotlights' }).click()
  await expect(first!).not.toBeInViewport()
  await spotlights.getByRole('button', { name: 'Back in Curated spotlights' }).click()
  await expect(first!).toBeInViewport({ ratio: 1 })
})

test('merchandise leaves for the store in a tab of its own, and says so', async ({ page, context }) => {
  const { products, store_url } = await ask(site.getProducts, {})
  await context.route('https://store.example/**', (route) => route.fulfill({ body: 'the store' }))
  await page.goto('/')
  await comeDown(page)
  const merchandise = page.getByRole('region', { name: 'Official merchandise' })
  await merchandise.scrollIntoViewIfNeeded()
  await expect(merchandise.getByRole('listitem')).toHaveCount(products.length)
  for (const [i, { title, url, price }] of products.entries()) {
    const link = merchandise.getByRole('listitem').nth(i).getByRole('link')
    await expect(link).toHaveAttribute('href', url)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    await expect(link).toHaveAccessibleName(`${title} ${price} (another site, opens in a new tab)`)
  }
  await expect(merchandise.getByRole('link', { name: 'To the store' })).toHaveAttribute('href', store_url)
  const opening = page.waitForEvent('popup')
  await merchandise.getByRole('listitem').first().getByRole('link').click()
  await expect(await opening).toHaveURL(firstOf(products).url)
  await expect(page).toHaveURL(/\/$/)
})

test('a pool that sells nothing has no place for merchandise', async ({ page }) => {
  await page.route('**/api/common/shopify-products.json*', (route) =>
    route.fulfill({ json: { data: { products: [], store_url: '' } } }),
  )
  const asking = nextAnswer(page, site.getProducts.path)
  await page.goto('/')
  await comeDown(page)
  await expect(page.getByRole('region', { name: 'Monthly top 20' })).toBeVisible()
  await asking
  await page.waitForLoadState('networkidle')
  await expect(page.getByText(/merchandise/i)).toHaveCount(0)
})

test('new releases begin with the six newest albums of the monthly top 20', async ({ page }) => {
  const { tracks } = await ask(charts.getTop20Tracks, { page: 1, limit: 6 })
  await page.goto('/newRelease')
  const heading = page.getByRole('heading', { name: 'Monthly top 20' })
  const albums = page.locator('section').filter({ has: heading }).getByRole('listitem').getByRole('link')
  await expect(albums).toHaveText(titles(tracks))
  await expect(rowsOf(page).first()).toBeVisible()
  const bottom = async (it: Locator) => (await it.boundingBox())!.y
  expect(await bottom(albums.last())).toBeLessThan(await bottom(rowsOf(page).first()))
  await albums.first().click()
  await expect(page).toHaveURL(new RegExp(`/top20/songs/${firstOf(tracks).top20_track_id}$`))
})

test('a collection of a month has its songs by rank', async ({ page }) => {
  const { tracks } = await ask(charts.getTop20Tracks, { page: 1 })
  const { top20_track_id, title } = firstOf(tracks)
  const { songs } = await ask(charts.getTop20Songs, { top20_track_id })
  await page.goto('/top20/tracks')
  await expect(tilesOf(page)).toHaveText(titles(tracks))
  await tilesOf(page).first().click()
  await expect(page).toHaveTitle(tab(title))
  await expect.poll(() => titlesOf(listNamed(page, title))).toEqual(titles(songs))
  await expect(ranksOf(listNamed(page, title))).toHaveText(songs.map((_, i) => String(i + 1)))
})

test('spotlights stand thirty-six on a page', async ({ page }) => {
  const { curatedlist: some, pagination } = await ask(spotlights.getCuratedLists, {})
  expect(pagination.perPageLimit).toBe(36)
  const lists = Array.from({ length: 40 }, (_, i) => ({
    ...some[i % some.length]!,
    curated_list_id: i + 1,
    title: `List ${i}`,
  }))
  await page.route('**/api/curated/index.json*', (route) => {
    const { page = 1, pageLimit = 36 } = route.request().postDataJSON()
    const curatedlist = lists.slice((page - 1) * pageLimit, page * pageLimit)
    const pagination = { page, perPageLimit: pageLimit, totalCount: lists.length }
    return route.fulfill({ json: { data: { curatedlist, pagination } } })
  })
  await page.goto('/spotlight/index')
  await expect(tilesOf(page)).toHaveCount(36)
  await expect(page.getByRole('main').getByText('40 lists')).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\/spotlight\/index\?page=2$/)
  await expect(tilesOf(page)).toHaveCount(4)
  await expect(tilesOf(page).first()).toHaveText('List 36')
})

test('a curated genre has its own lists under its own title', async ({ page }) => {
  const { genres } = await ask(spotlights.getCuratedGenres, {})
  const genre = firstOf(genres.filter(({ subgenres }) => subgenres.length > 0))
  const all = titles((await ask(spotlights.getCuratedLists, {})).curatedlist)
  const chip = (bar: string, name: string) =>
    page.getByRole('navigation', { name: bar, exact: true }).getByRole('link', { name, exact: true })

  await page.goto('/spotlight/index')
  await expect(tilesOf(page)).toHaveText(all)
  await expect(chip('Curated genres', 'All')).toHaveAttribute('aria-current', 'page')
  for (const [bar, { genre_id, title }] of [
    ['Curated genres', genre],
    [`Inside ${genre.title}`, firstOf(genre.subgenres)],
  ] as const) {
    const lists = titles((await ask(spotlights.getCuratedLists, { curated_genres_id: genre_id })).curatedlist)
    expect(lists.length).toBeLessThan(all.length)
    await chip(bar, title).click()
    await expect(page).toHaveURL(new RegExp(`/spotlight/filter/${genre_id}$`))
    await expect(page).toHaveTitle(tab(title))
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(tilesOf(page)).toHaveText(lists)
    await expect(chip(bar, title)).toHaveAttribute('aria-current', 'page')
  }
})

/** A text as a pattern that means exactly it. */
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Counts one listen, as the player does after half a minute of a song. */
const listenTo = (song: catalogue.Song, token: string) =>
  ask(
    listening.songPlayed,
    { song_version_id: firstOf(song.version).song_version_id, listen_key: crypto.randomUUID() },
    token,
  )

test('what a member has listened to is listed, last first and each song once', async ({ page }) => {
  const token = await enterAs(page, 'label@demo.test')
  const [one, other] = await newestSongs(2)
  for (const song of [one!, other!, one!]) await listenTo(song, token)
  await page.goto('/recentPlayed')
  await expect(page).toHaveTitle(tab('Recently played'))
  const list = listNamed(page, 'Recently played')
  await expect(rowsOf(list).nth(0)).toContainText(one!.title)
  await expect(rowsOf(list).nth(1)).toContainText(other!.title)
  const { songs } = await ask(listening.recentPlayed, {}, token)
  await expect.poll(() => titlesOf(list)).toEqual(titles(songs))
  expect(new Set(titles(songs)).size).toBe(songs.length)
})

test('a visitor is asked to sign in to see what they have listened to', async ({ page }) => {
  await page.goto('/recentPlayed')
  await expect(page.getByRole('main').getByText('Sign in, and what you listen to is listed here.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('dialog', { name: 'Sign In' })).toBeVisible()
})

const around = (page: Page) => page.getByRole('complementary', { name: 'Around the music' })
const block = (page: Page, name: string) => around(page).getByRole('region', { name, exact: true })

/** Has a member listen to a song, and waits until everybody is told of it. */
async function hearOf(song: catalogue.Song): Promise<void> {
  await listenTo(song, await tokenOf('free@demo.test'))
  const last = async () => (await ask(listening.justPlayed, {})).songs[0]?.entity_id
  await expect.poll(last).toBe(song.entity_id)
}

test('a song just played stands beside the page, and nobody is named', async ({ page }) => {
  const song = firstOf((await newestSongs(12)).slice(8))
  await hearOf(song)
  const answer = nextAnswer(page, listening.justPlayed.path)
  await page.goto('/charts')
  const line = block(page, 'Song just played').getByRole('listitem').filter({ hasText: song.title })
  // Cover, title, artist and when: nothing else stands there.
  await expect(line).toHaveText(
    new RegExp(`^${[song.title, song.artist].map(literally).join('')}(just now|\\d+ min ago)$`),
  )
  expect(JSON.stringify((await answer).reply)).not.toMatch(/Juno|free@demo\.test|customer/)
})

test('what was just played is not re-sorted under the pointer', async ({ page }) => {
  const [song] = (await newestSongs(14)).slice(12)
  const shown = block(page, 'Song just played').getByRole('listitem').getByRole('link')
  await page.clock.install()
  await page.goto('/charts')
  await shown.first().hover()
  const before = await shown.allTextContents()
  expect(before[0]).not.toBe(song!.title)
  await hearOf(song!)
  // A minute later the page asks again by itself.
  const answer = nextAnswer(page, listening.justPlayed.path)
  await page.clock.fastForward('01:01')
  expect(titles((await answer).reply.songs)).toContain(song!.title)
  await drawn(page)
  expect(await shown.allTextContents()).toEqual(before)
  await page.mouse.move(0, 0)
  await expect(shown.filter({ hasText: song!.title })).toBeVisible()
})

/** Until what has just arrived is on screen. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

test('a part that does not load offers to try again, and the others stand', async ({ page }) => {
  const path = `**/api/${listening.justPlayed.path}*`
  await page.route(path, (route) => route.fulfill({ status: 503, body: 'upstream is busy' }))
  await page.goto('/charts')
  const trouble = around(page).getByText('“Song just played” did not load.')
  await expect(trouble).toBeVisible()
  await expect(block(page, 'Curated genres').getByRole('listitem').first()).toBeVisible()
  await page.unroute(path)
  await trouble.getByRole('button', { name: 'Try again' }).click()
  await expect(block(page, 'Song just played').getByRole('listitem').first()).toBeVisible()
  await expect(trouble).toBeHidden()
})

test('what plays appears beside the page, and moves nothing below it', async ({ page }) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  const below = block(page, 'Song just played')
  await expect(below.getByRole('listitem').first()).toBeVisible()
  await expect(block(page, 'Now playing')).toContainText('Nothing is playing.')
  const place = async () => (await below.boundingBox())!.y
  const before = await place()
  await play(page, song)
  const playing = block(page, 'Now playing')
  await expect(playing.getByRole('link', { name: song.title, exact: true })).toBeVisible()
  expect(await place()).toBe(before)
  await expect(playing.getByRole('region', { name: `Mixes with ${song.title}` }).getByRole('list')).not.toHaveAttribute(
    'aria-busy',
  )
  expect(await place()).toBe(before)
})

test('What’s News has every announcement, newest first, each with the page it stands on', async ({ page }) => {
  const { announcements } = await ask(site.getNews, {})
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'What’s News' }).click()
  await expect(page).toHaveTitle(tab('What’s News'))
  const items = page.getByRole('main').getByRole('listitem')
  const plain = (html: string) => html.replace(/<[^>]+>/g, '')
  await expect(items).toHaveCount(announcements.length)
  for (const [i, { message }] of announcements.entries()) await expect(items.nth(i)).toContainText(plain(message))
  const published = announcements.map(({ published_at }) => published_at)
  expect(published).toEqual([...published].sort().reverse())
  await items.getByRole('link', { name: 'Charts', exact: true }).click()
  await expect(page).toHaveURL(/\/charts$/)
})

test('kuts have lists of their own, which stay chosen from list to list, and one with songs together', async ({
  page,
}) => {
  const counted = async (song_section_id: number) =>
    (await ask(catalogue.getNewRelease, { song_section_id })).pagination.totalCount
  const choice = (name: string) =>
    page.getByRole('navigation', { name: 'Section of the list' }).getByRole('link', { name })
  const fresh = await nextAnswerOf(page, catalogue.getNewRelease.path, () => page.goto('/newRelease'))
  expect(fresh.asked.song_section_id).toBeUndefined()
  await expect(choice('Songs')).toHaveAttribute('aria-current', 'page')

  // By keyboard, as by pointer: each choice is a link.
  await choice('Kuts').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/newRelease\?section=kuts$/)
  await expect(choice('Kuts')).toHaveAttribute('aria-current', 'page')
  const kuts = await counted(2)
  expect(kuts).toBeGreaterThan(0)
  await expect(page.getByText(`${kuts} kuts`, { exact: true })).toBeVisible()

  const main = page.getByRole('navigation', { name: 'Main' })
  const chart = await nextAnswerOf(page, charts.getChart.path, () => main.getByRole('link', { name: 'Charts' }).click())
  await expect(page).toHaveURL(/\/charts\?section=kuts$/)
  expect(chart.asked.song_section_id).toBe(2)

  await main.getByRole('navigation', { name: 'Section' }).getByRole('link', { name: 'All' }).click()
  await expect(page).toHaveURL(/\/charts\?section=all$/)
  await main.getByRole('link', { name: 'Genres' }).click()
  await expect(page).toHaveURL(/\/genres\/index\?section=all$/)

  // A screen that is not a list does not change it.
  await main.getByRole('link', { name: 'Your Crate' }).click()
  await expect(page).toHaveURL(/\/crate$/)
  await main.getByRole('link', { name: 'New releases' }).click()
  await expect(page).toHaveURL(/\/newRelease\?section=all$/)
})
