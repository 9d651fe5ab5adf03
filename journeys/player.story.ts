import type { Page } from '@playwright/test'
import {
  coloursOfWaveform,
  enterAs,
  expect,
  firstOf,
  hearItRun,
  listNamed,
  loudestMoment,
  newestSongs,
  play,
  player,
  positionOf,
  rowOf,
  soundOf,
  test,
} from './support.ts'

const position = (page: Page) => player(page).getByRole('slider', { name: 'Seek' })
const playing = (page: Page, { title }: { title: string }) =>
  expect(player(page).getByRole('link', { name: title, exact: true })).toBeVisible()

test.beforeEach(async ({ page }) => {
  await enterAs(page, 'free@demo.test')
})

test('a song goes on playing from screen to screen and when Day Mode is switched on', { tag: '@smoke' }, async ({
  page,
}) => {
  const [song, other] = await newestSongs(2)
  await page.goto('/newRelease')
  await play(page, song!)
  await hearItRun(page)
  expect(await loudestMoment(page)).toBeGreaterThan(0.01)
  await expect(position(page).locator('canvas').first()).toBeVisible({ timeout: 60_000 })
  const { address, duration_seconds } = await soundOf(page)
  expect(duration_seconds).toBeGreaterThan(song!.version[0]!.duration_seconds - 1)
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

test('after a reload the player is paused where it was, with its volume, and hidden columns stay hidden', async ({
  page,
}) => {
  const song = firstOf(await newestSongs(1))
  await page.goto('/newRelease')
  const list = listNamed(page, 'New releases')
  await list.getByRole('button', { name: 'Choose columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Key' }).click()
  await page.keyboard.press('Escape')
  const volume = player(page).getByRole('slider', { name: 'Volume' })
  await volume.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(volume).toHaveValue('0.9')
  await play(page, song)
  await hearItRun(page)
  await position(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => positionOf(page)).toBeGreaterThan(10)

  await page.reload()
  await playing(page, song)
  expect(await soundOf(page)).toMatchObject({ paused: true, address: '', volume: 0.9 })
  await expect(volume).toHaveValue('0.9')
  await expect(player(page).getByTestId('elapsed')).toHaveText(/^0:1\d$/)
  await expect(list.getByRole('columnheader', { name: 'BPM', exact: true })).toBeVisible()
  await expect(list.getByRole('columnheader', { name: 'Key', exact: true })).toBeHidden()
  await player(page).getByRole('button', { name: 'Play', exact: true }).click()
  await hearItRun(page)
  expect(await positionOf(page)).toBeGreaterThan(10)
})
