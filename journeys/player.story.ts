import { catalogue } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  coloursOfWaveform,
  enterAs,
  expect,
  firstOf,
  hearItRest,
  hearItRun,
  loudestMoment,
  newestSongs,
  play,
  player,
  positionOf,
  rowOf,
  rowsOf,
  soundOf,
  test,
} from './support.ts'

const position = (page: Page) => player(page).getByRole('slider', { name: 'Position' })
const button = (page: Page, name: string) => player(page).getByRole('button', { name, exact: true })
const playing = (page: Page, { title }: { title: string }) =>
  expect(player(page).getByRole('link', { name: title, exact: true })).toBeVisible()

/** Opens the queue, and answers with the songs of a genre that has been added to it, in order. */
async function queueUp(page: Page, count: number): Promise<catalogue.Song[]> {
  const songs = await newestSongs(count)
  await page.goto('/newRelease')
  for (const { title } of songs) {
    await rowOf(page, { title })
      .getByRole('button', { name: `More for ${title}` })
      .click()
    await page.getByRole('menuitem', { name: 'Add to queue' }).click()
  }
  await button(page, `Queue, ${count} versions`).click()
  return songs
}

const queue = (page: Page) => page.getByRole('dialog', { name: 'Queue' })
const queued = (page: Page) => queue(page).getByRole('listitem')

test.beforeEach(async ({ page }) => {
  await enterAs(page, 'free@demo.test')
})

test('a song plays on from screen to screen and through Day Mode', { tag: '@smoke' }, async ({ page }) => {
  const [song, other] = await newestSongs(2)
  await page.goto('/newRelease')
  await play(page, song!)
  await hearItRun(page)
  expect(await loudestMoment(page)).toBeGreaterThan(0.01)
  await expect(position(page).locator('canvas').first()).toBeVisible({ timeout: 60_000 })
  const { address } = await soundOf(page)
  const started = await positionOf(page)

  await rowOf(page, other!).getByRole('link', { name: other!.title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: other!.title })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Genres' }).click()
  await expect(page.getByRole('heading', { name: 'Moods' })).toBeVisible()
  await page.getByRole('switch', { name: 'Day Mode' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')

  await playing(page, song!)
  await hearItRun(page)
  expect((await soundOf(page)).address).toBe(address)
  expect(await positionOf(page)).toBeGreaterThan(started)
  await expect.poll(() => coloursOfWaveform(page)).toBeGreaterThan(2)
})

test('a click in the waveform and the keys of a slider seek', { tag: '@smoke' }, async ({ page }) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  await play(page, song)
  await hearItRun(page)
  const { duration_seconds } = await soundOf(page)
  expect(duration_seconds).toBeGreaterThan(song.version[0]!.duration_seconds - 1)
  await button(page, 'Pause').click()
  await hearItRest(page)

  const box = (await position(page).boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect.poll(() => positionOf(page)).toBeCloseTo(duration_seconds / 2, 0)

  const half = await positionOf(page)
  await position(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => positionOf(page)).toBeCloseTo(half + 5, 0)
  await page.keyboard.press('Home')
  await expect.poll(() => positionOf(page)).toBe(0)
  await page.keyboard.press('End')
  await expect.poll(() => positionOf(page)).toBeCloseTo(duration_seconds - 1, 0)
  expect((await soundOf(page)).paused).toBe(true)

  await page.keyboard.press('Home')
  await button(page, 'Play').click()
  await hearItRun(page)
})

test('Space pauses and goes on', async ({ page }) => {
  await page.goto('/newRelease')
  await play(page, firstOf(await newestSongs(1)))
  await hearItRun(page)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Space')
  await hearItRest(page)
  await expect(button(page, 'Play')).toBeVisible()
  await page.keyboard.press('Space')
  await hearItRun(page)
})

test('next goes through the list and then round, previous goes round the other way', async ({ page }) => {
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const genre = firstOf(genres.filter(({ song_count }) => song_count >= 3 && song_count <= 24))
  const { songs } = await ask(catalogue.genreSongs, { genre_id: genre.genre_id })
  const [third, second, last] = songs.slice(-3)
  await page.goto(`/genres/view/${genre.genre_id}`)
  await play(page, third!)
  await playing(page, third!)
  await button(page, 'Next').click()
  await playing(page, second!)
  await button(page, 'Next').click()
  await playing(page, last!)
  await button(page, 'Next').click()
  await playing(page, third!)
  await button(page, 'Previous').click()
  await playing(page, last!)
  await hearItRun(page)
})

test('repeat one begins the same version again at its end', async ({ page }) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  await play(page, song)
  await button(page, 'Repeat one').click()
  await expect(button(page, 'Repeat one')).toHaveAttribute('aria-pressed', 'true')
  await hearItRun(page)
  const { address } = await soundOf(page)
  await position(page).focus()
  await page.keyboard.press('End')
  await expect.poll(() => positionOf(page)).toBeGreaterThan(10)
  await expect.poll(() => positionOf(page), { timeout: 60_000 }).toBeLessThan(10)
  await hearItRun(page)
  expect((await soundOf(page)).address).toBe(address)
  await playing(page, song)
})

test('the volume moves in steps of 0.1 and is kept across a reload', async ({ page }) => {
  await page.goto('/newRelease')
  const volume = player(page).getByRole('slider', { name: 'Volume' })
  await expect(volume).toHaveValue('1')
  await volume.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(volume).toHaveValue('0.9')
  expect((await soundOf(page)).volume).toBeCloseTo(0.9)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(volume).toHaveValue('0.7')
  await page.reload()
  await expect(volume).toHaveValue('0.7')
  expect((await soundOf(page)).volume).toBeCloseTo(0.7)
})

test('the queue is reordered by keyboard, thinned and cleared', async ({ page }) => {
  const [first, second, third] = await queueUp(page, 3)
  await expect(queued(page)).toHaveCount(3)
  await queue(page)
    .getByRole('button', { name: `Move ${first!.title}`, exact: true })
    .focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(queued(page).nth(0)).toContainText(second!.title)
  await expect(queued(page).nth(1)).toContainText(first!.title)
  await expect(queue(page).getByRole('button', { name: `Move ${first!.title}`, exact: true })).toBeFocused()
  await expect(queue(page).getByText(`${first!.title} is now 2 of 3.`)).toBeAttached()

  await queue(page)
    .getByRole('button', { name: `Remove ${second!.title} from the queue` })
    .click()
  await expect(queued(page)).toHaveCount(2)
  await queued(page).nth(1).getByText(third!.title).click()
  await playing(page, third!)
  await hearItRun(page)

  await queue(page).getByRole('button', { name: 'Clear' }).click()
  await expect(queued(page)).toHaveCount(0)
  await hearItRest(page)
  await expect(player(page).getByText('Nothing playing')).toBeVisible()
})

test('after a reload the player stands where it was, silent until it is asked', async ({ page }) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  await play(page, song)
  await hearItRun(page)
  await position(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => positionOf(page)).toBeGreaterThan(10)

  await page.reload()
  await playing(page, song)
  expect((await soundOf(page)).paused).toBe(true)
  expect((await soundOf(page)).address).toBe('')
  await expect(player(page).getByTestId('elapsed')).toHaveText(/^0:1\d$/)
  await button(page, 'Play').click()
  await hearItRun(page)
  expect(await positionOf(page)).toBeGreaterThan(10)
})

test('media keys and the lock screen know what plays', async ({ page }) => {
  const [song, next] = await newestSongs(2)
  await page.goto('/newRelease')
  await play(page, song!)
  await hearItRun(page)
  const shown = await page.evaluate(() => {
    const { metadata, playbackState } = navigator.mediaSession
    return { title: metadata?.title, artist: metadata?.artist, artwork: metadata?.artwork[0]?.src, playbackState }
  })
  expect(shown).toMatchObject({
    title: `${song!.title} (${song!.version[0]!.version_label})`,
    artist: song!.artist,
    playbackState: 'playing',
  })
  expect((await page.request.get(shown.artwork!)).headers()['content-type']).toBe('image/webp')

  const press = (action: MediaSessionAction) =>
    page.evaluate((action) => window.mediaKeys[action]?.({ action, seekTime: 20 }), action)
  await press('nexttrack')
  await playing(page, next!)
  await press('pause')
  await hearItRest(page)
  await press('seekto')
  await expect.poll(() => positionOf(page)).toBeCloseTo(20, 0)
  // With these iOS would show ±10 s where previous and next belong.
  expect(await page.evaluate(() => Object.keys(window.mediaKeys))).not.toContain('seekforward')
})

test('the playing row is marked, and a press on its cover pauses', async ({ page }) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  const row = rowOf(page, song)
  await row.dblclick({ position: { x: 12, y: 12 } })
  await hearItRun(page)
  await expect(row.getByText('Playing')).toBeAttached()
  await expect(rowsOf(page).getByRole('button', { name: /^Pause .* by / })).toHaveCount(1)
  await row.getByRole('button', { name: `Pause ${song.title} by ${song.artist}` }).click()
  await hearItRest(page)
})
