import type { Page } from '@playwright/test'
import {
  countWaveformColours,
  expect,
  expectPlaying,
  getAudioState,
  getDemoSongs,
  getFirst,
  getPosition,
  measureLoudness,
  player,
  playSong,
  showDemoSongsAsNewest,
  signInAs,
  songList,
  songRow,
  test,
} from './support.ts'

const seekSlider = (page: Page) => player(page).getByRole('slider', { name: 'Seek' })
const expectSong = (page: Page, { title }: { title: string }) =>
  expect(player(page).getByRole('link', { name: title, exact: true })).toBeVisible()

test('plays a visitor a clip, and shows where it is in the song', async ({ page }) => {
  await showDemoSongsAsNewest(page)
  const song = getFirst(await getDemoSongs(1))
  const { preview_start_seconds, duration_seconds } = getFirst(song.version)
  await page.goto('/newRelease')
  await expect(songRow(page, song)).toBeVisible()
  await expect(player(page)).toBeHidden()
  await playSong(page, song)
  await expectPlaying(page)
  expect(await measureLoudness(page)).toBeGreaterThan(0.01)
  expect((await getAudioState(page)).duration_seconds).toBeLessThan(31)

  const slider = seekSlider(page)
  const seekTo = async (second: number) => {
    const { width, height } = (await slider.boundingBox())!
    await slider.click({ position: { x: (second / duration_seconds) * width, y: height / 2 } })
  }
  const shownSecond = async () => Number(await slider.getAttribute('aria-valuenow'))
  await seekTo(preview_start_seconds + 15)
  await expect.poll(() => getPosition(page)).toBeGreaterThan(14)
  expect(await shownSecond()).toBeGreaterThanOrEqual(preview_start_seconds + 14)
  // Outside the clip: from its start.
  await seekTo(duration_seconds - 1)
  await expect.poll(() => getPosition(page)).toBeLessThan(5)
  expect(await shownSecond()).toBeLessThan(preview_start_seconds + 5)
  await expectPlaying(page)
})

test.describe('for a member', () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, 'free@demo.test')
    await showDemoSongsAsNewest(page)
  })

  test('keeps playing across pages and when the theme changes', { tag: '@smoke' }, async ({ page }) => {
    const [song, other] = await getDemoSongs(2)
    await page.goto('/newRelease')
    await playSong(page, song!)
    await expectPlaying(page)
    expect(await measureLoudness(page)).toBeGreaterThan(0.01)
    await expect(seekSlider(page).locator('canvas').first()).toBeVisible({ timeout: 60_000 })
    const { address, duration_seconds } = await getAudioState(page)
    expect(duration_seconds).toBeGreaterThan(song!.version[0]!.duration_seconds - 1)
    const started = await getPosition(page)

    await songRow(page, other!).getByRole('link', { name: other!.title, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: other!.title })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Genres' }).click()
    await expect(page.getByRole('heading', { name: 'Moods' })).toBeVisible()
    await page.getByRole('button', { name: 'Light theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')

    await expectSong(page, song!)
    await expectPlaying(page)
    expect((await getAudioState(page)).address).toBe(address)
    expect(await getPosition(page)).toBeGreaterThan(started)
    await expect.poll(() => countWaveformColours(page)).toBeGreaterThan(2)
  })

  test('restores the paused song, its position, the volume and the chosen columns after a reload', async ({ page }) => {
    const song = getFirst(await getDemoSongs(1))
    await page.goto('/newRelease')
    const list = songList(page, 'New releases')
    await list.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Label' }).click()
    await page.keyboard.press('Escape')
    await playSong(page, song)
    await expectPlaying(page)
    const volume = player(page).getByRole('slider', { name: 'Volume' })
    await volume.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(volume).toHaveValue('0.9')
    await seekSlider(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => getPosition(page)).toBeGreaterThan(10)

    await page.reload()
    await expectSong(page, song)
    expect(await getAudioState(page)).toMatchObject({ paused: true, address: '', volume: 0.9 })
    await expect(volume).toHaveValue('0.9')
    await expect(player(page).getByTestId('elapsed')).toHaveText(/^0:1\d$/)
    await expect(list.getByRole('columnheader', { name: 'BPM', exact: true })).toBeVisible()
    await expect(list.getByRole('columnheader', { name: 'Label', exact: true })).toBeVisible()
    await player(page).getByRole('button', { name: 'Play', exact: true }).click()
    await expectPlaying(page)
    expect(await getPosition(page)).toBeGreaterThan(10)
  })
})
