import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { closeApp } from '../../test/openApp.tsx'
import { doubleClickAround, touch } from '../../test/pointer.ts'
import { audio } from '../player/audio.ts'
import { expectCurrent, expectPlaying, openNewReleases, player, rowOf } from '../player/testing.ts'
import { bar, emptySpotIn, expectSelected } from './selectionTestHelpers.ts'

const press = (keys: string) => userEvent.keyboard(keys)

afterEach(() => page.viewport(1440, 900))

test('selects a range with Shift click, toggles with Ctrl click, selects all with Ctrl A and clears with Escape', async () => {
  const songs = await openNewReleases()
  await emptySpotIn(songs[2]!).click()
  await expectSelected([songs[2]!])
  await emptySpotIn(songs[5]!).click({ modifiers: ['Shift'] })
  await expectSelected(songs.slice(2, 6))
  await emptySpotIn(songs[0]!).click({ modifiers: ['Shift'] })
  await expectSelected(songs.slice(0, 3))
  await emptySpotIn(songs[1]!).click({ modifiers: ['ControlOrMeta'] })
  await expectSelected([songs[0]!, songs[2]!])
  await press('{Control>}a{/Control}')
  await expectSelected(songs)
  await press('{Escape}')
  await expectSelected([])
  expect(getSelection()?.toString()).toBe('')
})

test('toggles the focused row with X, and extends the selection with Shift and the arrows', async () => {
  const songs = await openNewReleases()
  await press('jx')
  await expectSelected([songs[0]!])
  await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expectSelected(songs.slice(0, 3))
  await press('{Shift>}{ArrowUp}{/Shift}')
  await expectSelected(songs.slice(0, 2))
  await press('x')
  await expectSelected([songs[0]!])
  await press('{Escape}')
  await expectSelected([])
})

test('selects without playing on a click; plays and selects nothing on a double click', async () => {
  const songs = await openNewReleases()
  await emptySpotIn(songs[1]!).click()
  await expectSelected([songs[1]!])
  await expect.element(player.getByText('Nothing playing')).toBeVisible()
  expect(audio.paused).toBe(true)

  await emptySpotIn(songs[3]!).dblClick()
  await expectPlaying()
  await expectCurrent(songs[3]!)
  await expectSelected([])
})

/** Scrolls until the selection bar would cover a row, and returns that row's song. */
async function openWithRowUnderBar() {
  const songs = await openNewReleases()
  // The bar's code is loaded with the first selection; after that it appears at once.
  await emptySpotIn(songs[0]!).click()
  await expectSelected([songs[0]!])
  await press('{Escape}')
  await expectSelected([])
  const top = (dropTarget: typeof player) => dropTarget.element().getBoundingClientRect().top
  scrollBy({ top: top(emptySpotIn(songs[12]!)) - (top(player) - 40), behavior: 'instant' })
  await expect.element(emptySpotIn(songs[12]!)).toBeInViewport()
  return songs[12]!
}

test('plays a row on a double click even when the selection bar covers it after the first click', async () => {
  const song = await openWithRowUnderBar()
  await emptySpotIn(song).dblClick()
  await expectPlaying()
  await expectCurrent(song)
  await expectSelected([])
})

test('plays the row on a slow double click although its second half hits the selection bar', async () => {
  const song = await openWithRowUnderBar()
  await doubleClickAround(emptySpotIn(song), async () => {
    await expectSelected([song])
    await expect.poll(() => isCovered(emptySpotIn(song).element())).toBe(true)
  })
  await expectPlaying()
  await expectCurrent(song)
  await expectSelected([])
})

/** Whether a click at the centre of this element would hit the selection bar. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return bar.element().contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('hides columns, keeps the height of the rows and remembers the choice', async () => {
  const songs = await openNewReleases()
  const list = page.getByRole('table', { name: 'New releases' })
  const heading = (name: string) => list.getByRole('columnheader', { name, exact: true })
  const height = () => rowOf(songs[0]!).element().getBoundingClientRect().height
  const before = height()
  for (const name of ['BPM', 'Key', 'Added']) await expect.element(heading(name)).toBeVisible()

  await list.getByRole('button', { name: 'Choose columns' }).click()
  for (const name of ['Key', 'Added']) {
    const item = page.getByRole('menuitemcheckbox', { name })
    await item.click()
    await expect.element(item).toHaveAttribute('aria-checked', 'false')
  }
  await press('{Escape}')
  const expectHidden = async () => {
    await expect.element(heading('BPM')).toBeVisible()
    for (const name of ['Key', 'Added']) await expect.element(heading(name)).not.toBeInTheDocument()
    await expect.element(emptySpotIn(songs[0]!)).not.toBeInTheDocument()
    expect(height()).toBe(before)
  }
  await expectHidden()

  const key = 'dubplate.columns'
  const stored = localStorage.getItem(key)
  await closeApp()
  await openNewReleases(songs)
  await expect.element(heading('Key')).toBeVisible()
  // Simulates the event for a value stored by another tab.
  localStorage.setItem(key, stored ?? '')
  dispatchEvent(new StorageEvent('storage', { key }))
  await expectHidden()

  await list.getByRole('button', { name: 'Choose columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Added' }).click()
  await expect.element(heading('Added')).toBeVisible()
  expect(height()).toBe(before)
})

test('selects without playing on a long press on a phone, and from then on by taps', async () => {
  await page.viewport(390, 844)
  await touch.enable(true)
  const [, first, second] = await openNewReleases()
  const preview = rowOf(first!)
    .getByRole('button', { name: /^Preview / })
    .first()
  const toCentre = (dropTarget: typeof preview) =>
    dropTarget.element().scrollIntoView({ block: 'center', behavior: 'instant' })
  toCentre(preview)
  await touch.press(preview)
  await expectSelected([first!])
  await touch.lift()

  const title = rowOf(second!).getByTestId('song-title')
  toCentre(title)
  await touch.press(title)
  await touch.lift()
  await expectSelected([first!, second!])
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  expect(location.pathname).toBe('/newRelease')
  expect(audio.paused).toBe(true)
  await touch.enable(false)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expectSelected([])
})
