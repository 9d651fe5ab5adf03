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
  const volume = player(page).getByRole('slider', { name: 'Volume' })
  await volume.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(volume).toHaveValue('0.9')
  await playSong(page, song)
  await expectPlaying(page)
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
