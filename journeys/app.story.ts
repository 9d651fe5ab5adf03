import { catalogue, charts, spotlights } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, enterAs, expect, firstOf, listNamed, newestSongs, rowOf, rowsOf, test, titlesOf } from './support.ts'

const bar = (page: Page) => page.getByTestId('loading-bar')

/** How far the loading bar gets, as a share of the window, if what is on its way never comes. */
const furthest = (page: Page) =>
  bar(page).evaluate((element) => {
    const scale = () => new DOMMatrix(getComputedStyle(element).transform).a
    const rises = element.getAnimations().filter((each) => each instanceof CSSAnimation)
    const end_ms = Math.max(...rises.map(({ effect }) => Number(effect?.getComputedTiming().endTime)))
    const places = Array.from({ length: 61 }, (_, i) => {
      for (const rise of rises) rise.currentTime = (end_ms * i) / 60
      return scale()
    })
    return { first: places[0]!, last: places.at(-1)!, most: Math.max(...places) }
  })

test('the line at the top rises while a list is on its way, never to the end, and goes when it is there', async ({
  page,
}) => {
  let letGo = () => {}
  const held = new Promise<void>((done) => {
    letGo = done
  })
  await page.route('**/api/genres/songs.json*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/genres/index')
  await expect(page.getByRole('heading', { name: 'All genres' })).toBeVisible()
  await expect(bar(page)).not.toHaveAttribute('data-loading')
  await expect(bar(page)).toHaveCSS('opacity', '0')

  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const genre = firstOf(genres.filter(({ song_count }) => song_count > 1))
  await page.getByRole('main').getByRole('link', { name: genre.name }).first().click()
  await expect(bar(page)).toHaveAttribute('data-loading')
  await expect(bar(page)).toHaveCSS('opacity', '1')
  const { first, last, most } = await furthest(page)
  expect(first).toBeLessThan(0.05)
  expect(last).toBeGreaterThan(0.9)
  expect(most).toBeLessThanOrEqual(0.9501)
  letGo()
  await expect(rowsOf(page).first()).toBeVisible()
  await expect(bar(page)).not.toHaveAttribute('data-loading')
  await expect(bar(page)).toHaveCSS('opacity', '0')
})

test('without a network that is said for as long as it lasts, and what is loaded stays', async ({ page, context }) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page).first()).toBeVisible()
  const notice = page.getByText('You are offline. What has been loaded still works.')
  await expect(notice).toBeHidden()
  await context.setOffline(true)
  await expect(notice).toBeVisible()
  await expect(page.getByRole('status').filter({ has: notice })).toHaveCount(1)
  await expect(rowsOf(page).first()).toBeVisible()
  await context.setOffline(false)
  await expect(notice).toBeHidden()
})

test.describe('the kept shell', () => {
  test.use({ serviceWorkers: 'allow' })

  test('after one visit the page opens without a network, with its notice, and fills when the network is back', {
    tag: '@smoke',
  }, async ({ page, context }) => {
    await page.goto('/')
    await expect(rowsOf(page).first()).toBeVisible()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      if (!navigator.serviceWorker.controller)
        await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }))
    })
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText('You are offline. What has been loaded still works.')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Charts' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Player' })).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('alert').first()).toContainText('did not load')
    await context.setOffline(false)
    await expect(rowsOf(page).first()).toBeVisible()
  })
})

test('the site can be installed: a manifest, and icons of the sizes it names', async ({ page }) => {
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const reply = await page.request.get(address!)
  expect(reply.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await reply.json()
  expect(manifest).toMatchObject({ name: 'Dubplate', display: 'standalone', start_url: expect.stringMatching(/^\//) })
  const icons: { src: string; sizes: string; type: string }[] = manifest.icons
  expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const { src, sizes, type } of icons) {
    const icon = await page.request.get(new URL(src, new URL(address!, page.url())).href)
    expect(icon.ok(), src).toBe(true)
    expect(icon.headers()['content-type'], src).toContain(type)
    // A PNG tells its width and height in its first chunk (https://www.w3.org/TR/png-3/#11IHDR).
    const bytes = await icon.body()
    if (type === 'image/png') expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
  }
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

test('a page beyond the last leads back to the first', async ({ page }) => {
  await page.goto('/newRelease?page=999')
  await expect(page.getByRole('heading', { name: 'The list ends before this page' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'To the first page' }).click()
  await expect(page).toHaveURL(/\/newRelease$/)
  await expect(rowsOf(page).first()).toBeVisible()
})

test('back from a song restores the chart and the place on it', async ({ page }) => {
  await page.goto('/charts?chart=monthly')
  const list = listNamed(page, 'Monthly chart')
  await expect(rowsOf(list)).toHaveCount(24)
  const titles = await titlesOf(list)
  const [song] = (await ask(charts.getChart, { chart_type: 'monthly' })).songs.slice(18)
  const link = rowOf(list, song!).getByRole('link', { name: song!.title, exact: true })
  const place = () => page.evaluate(() => Math.round(window.scrollY))
  await link.scrollIntoViewIfNeeded()
  await expect.poll(place).toBeGreaterThan(200)
  const before = await place()
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: song!.title })).toBeVisible()
  await expect.poll(place).toBe(0)
  await page.goBack()
  await expect.poll(() => titlesOf(list)).toEqual(titles)
  await expect.poll(place).toBe(before)
})

test('every tab says where it is', async ({ page }) => {
  await enterAs(page, 'label@demo.test')
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const genre = firstOf(genres.filter(({ song_count }) => song_count > 1))
  const song = firstOf(await newestSongs(1))
  const { curatedlist } = await ask(spotlights.getSpotlights, {})
  const list = firstOf(curatedlist)
  await page.goto('/')
  await expect(page).toHaveTitle('Dubplate')
  for (const [address, title] of [
    ['/charts', 'Daily chart'],
    ['/newRelease', 'New releases'],
    ['/genres/index', 'Genres'],
    [`/genres/view/${genre.genre_id}`, genre.name],
    ['/spotlight/index', 'Curated spotlights'],
    [`/spotlight/view/${list.curated_list_id}`, list.title],
    ['/top20/tracks', 'Monthly top 20'],
    [`/song/${song.entity_id}`, `${song.title} – ${song.artist}`],
    ['/search/result', 'Search'],
    ['/playlist', 'Playlists'],
    ['/recentPlayed', 'Recently played'],
    ['/favourite-songs', 'Favourite songs'],
    ['/crate', 'Your Crate'],
    ['/news', 'What’s News'],
    ['/subscription/plans', 'Plans'],
  ] as const) {
    await page.goto(address)
    await expect(page, address).toHaveTitle(`${title} · Dubplate`)
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveCount(1)
  }
})

test('on a phone the thumb reaches Explore, Charts, Search, Crate and Favourites', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await expect(tabs).toHaveText(['Explore', 'Charts', 'Search', 'Crate', 'Favourites'])
  for (const [name, path] of [
    ['Charts', /\/charts$/],
    ['Search', /\/search\/result$/],
    ['Crate', /\/crate$/],
    ['Favourites', /\/favourite-songs$/],
    ['Explore', /\/$/],
  ] as const) {
    const tab = tabs.filter({ hasText: name })
    await tab.click()
    await expect(page).toHaveURL(path)
    await expect(tab).toHaveAttribute('aria-current', 'page')
    await expect(tab).toBeInViewport({ ratio: 1 })
  }
})
