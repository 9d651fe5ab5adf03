import { library } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  dialog,
  enterAs,
  expect,
  hearItRest,
  hearItRun,
  newestSongs,
  play,
  player,
  positionOf,
  rowOf,
  rowsOf,
  searchBox,
  soundOf,
  test,
} from './support.ts'

const focusedRow = (page: Page) => rowsOf(page).filter({ has: page.locator('[data-row-play]:focus') })
/** A list to walk along; keys are heard from when it is there. */
async function open(page: Page): Promise<void> {
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
}

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

test('j and k walk along the rows, Enter plays, g then c comes back to the playing row', async ({ page }) => {
  const [first, second, third] = await newestSongs(3)
  await open(page)
  await press(page, 'j')
  await expect(focusedRow(page)).toContainText(first!.title)
  await press(page, 'j', 'j')
  await expect(focusedRow(page)).toContainText(third!.title)
  await press(page, 'k')
  await expect(focusedRow(page)).toContainText(second!.title)
  await press(page, 'Enter')
  await hearItRun(page)
  await expect(player(page).getByRole('link', { name: second!.title, exact: true })).toBeVisible()

  await page.mouse.wheel(0, 1_500)
  await expect(rowOf(page, second!)).not.toBeInViewport()
  await press(page, 'g', 'c')
  await expect(rowOf(page, second!)).toBeInViewport()
})

test('/ goes to the search, Escape leaves it, and typing there plays nothing', async ({ page }) => {
  await open(page)
  const search = searchBox(page)
  await press(page, '/')
  await expect(search).toBeFocused()
  await page.keyboard.type('msr')
  await expect(search).toHaveValue('msr')
  expect((await soundOf(page)).muted).toBe(false)
  await press(page, 'Escape')
  await expect(search).not.toBeFocused()
})

test('? opens the list of shortcuts, and Escape closes it', async ({ page }) => {
  await open(page)
  await press(page, '?')
  await expect(dialog(page, 'Keyboard shortcuts').getByText('Play or pause')).toBeVisible()
  await expect(page).toHaveURL(/dialog=keys$/)
  await press(page, 'Escape')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeHidden()
})

test('m mutes, s shuffles, r repeats, q shows the queue, and the same key undoes each', async ({ page }) => {
  await open(page)
  const toggle = (name: string) => player(page).getByRole('button', { name, exact: true })
  for (const [key, name] of [
    ['s', 'Shuffle'],
    ['r', 'Repeat one'],
  ] as const) {
    await press(page, key)
    await expect(toggle(name)).toHaveAttribute('aria-pressed', 'true')
    await press(page, key)
    await expect(toggle(name)).toHaveAttribute('aria-pressed', 'false')
  }
  await press(page, 'm')
  await expect(toggle('Unmute')).toBeVisible()
  expect((await soundOf(page)).muted).toBe(true)
  await press(page, 'm')
  expect((await soundOf(page)).muted).toBe(false)
  await press(page, '-', '-')
  expect((await soundOf(page)).volume).toBeCloseTo(0.8)

  await press(page, 'q')
  await expect(page.getByRole('dialog', { name: 'Queue' })).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('dialog', { name: 'Queue' })).toBeHidden()
})

test('digits and arrows move within the song, n and p between songs, Space rests', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  const [first, second] = await newestSongs(2)
  await open(page)
  await play(page, first!)
  await hearItRun(page)
  const { duration_seconds } = await soundOf(page)
  await page.getByRole('heading', { level: 1 }).click()
  await press(page, 'Space')
  await hearItRest(page)
  await press(page, '5')
  await expect.poll(() => positionOf(page)).toBeCloseTo(duration_seconds / 2, 0)
  await press(page, 'ArrowRight')
  await expect.poll(() => positionOf(page)).toBeCloseTo(duration_seconds / 2 + 5, 0)
  await press(page, '0')
  await expect.poll(() => positionOf(page)).toBe(0)
  await press(page, 'n')
  await expect(player(page).getByRole('link', { name: second!.title, exact: true })).toBeVisible()
  await press(page, 'p')
  await expect(player(page).getByRole('link', { name: first!.title, exact: true })).toBeVisible()
  await hearItRun(page)
})

test('l keeps the playing song among the favourites, and lets it go', async ({ page }) => {
  const token = await enterAs(page, 'staff@demo.test')
  const [song] = await newestSongs(1)
  const kept = async () => (await ask(library.getFavouriteSongs, {}, token)).favouriteSongs.includes(song!.entity_id)
  await open(page)
  const row = rowOf(page, song!)
  await play(page, song!)
  await hearItRun(page)
  await press(page, 'l')
  const heart = row.getByRole('button', { name: `Favourite ${song!.title}` })
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(kept).toBe(true)
  await press(page, 'l')
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(kept).toBe(false)
})
