import { library } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs } from '../../test/samples.ts'
import { audio } from './audio.ts'
import {
  expectCurrent,
  expectPaused,
  expectPlaying,
  expectPosition,
  openNewReleases,
  play,
  playerButton,
  rowOf,
  rows,
} from './testing.ts'

const press = (keys: string) => userEvent.keyboard(keys)
const search = page.getByRole('combobox', { name: 'Search songs, artists, genres' })
const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const queue = page.getByRole('dialog', { name: 'Queue' })

/** The title of the row whose play button has the focus. */
const focusedTitle = () =>
  rows
    .elements()
    .find((row) => row.querySelector('[data-row-play]') === document.activeElement)
    ?.querySelector('[data-testid=song-title]')?.textContent

test('moves along the rows with J and K, plays with Enter, and scrolls to the playing row with G then C', async () => {
  const songs = await openNewReleases()
  await press('j')
  await expect.poll(focusedTitle).toBe('Song 1')
  await press('jj')
  await expect.poll(focusedTitle).toBe('Song 3')
  await press('k')
  await expect.poll(focusedTitle).toBe('Song 2')
  await press('{Enter}')
  await expectPlaying()
  await expectCurrent(songs[1]!)

  scrollBy({ top: 1_500, behavior: 'instant' })
  await expect.element(rowOf(songs[1]!)).not.toBeInViewport()
  await press('gc')
  await expect.element(rowOf(songs[1]!)).toBeInViewport()
})

test('focuses the search with /, where typing triggers no shortcut, and leaves it with Escape', async () => {
  const [song] = await openNewReleases()
  await play(song!)
  await press('/')
  await expect.element(search).toHaveFocus()
  await press('msr')
  await expect.element(search).toHaveValue('msr')
  expect(audio.heard.muted).toBe(false)
  await expect.element(playerButton('Shuffle')).toHaveAttribute('aria-pressed', 'false')
  await expect.element(playerButton('Repeat one')).toHaveAttribute('aria-pressed', 'false')
  await press('{Escape}')
  await expect.element(search).not.toHaveFocus()
})

test('opens the list of shortcuts with ? and closes it with Escape', async () => {
  await openNewReleases()
  await press('?')
  await expect.element(help.getByText('Play or pause').first()).toBeVisible()
  expect(location.search).toBe('?dialog=keys')
  await press('{Escape}')
  await expect.element(help).not.toBeInTheDocument()
})

test('toggles shuffle with S and repeat one with R', async () => {
  const [song] = await openNewReleases()
  await play(song!)
  for (const [key, name] of [
    ['s', 'Shuffle'],
    ['r', 'Repeat one'],
  ] as const) {
    await press(key)
    await expect.element(playerButton(name)).toHaveAttribute('aria-pressed', 'true')
    await press(key)
    await expect.element(playerButton(name)).toHaveAttribute('aria-pressed', 'false')
  }
})

test('mutes and unmutes with M, lowers the volume with -', async () => {
  const [song] = await openNewReleases()
  await play(song!)
  await press('m')
  await expect.element(playerButton('Unmute')).toBeVisible()
  expect(audio.heard.muted).toBe(true)
  await press('m')
  await expect.element(playerButton('Mute')).toBeVisible()
  expect(audio.heard.muted).toBe(false)
  await press('--')
  await expect.poll(() => audio.heard.volume).toBeCloseTo(0.8)
})

test('opens the queue with Q and closes it with Escape', async () => {
  const [song] = await openNewReleases()
  await play(song!)
  await press('q')
  await expect.element(queue).toBeVisible()
  await press('{Escape}')
  await expect.element(queue).not.toBeInTheDocument()
})

test('seeks with digits and arrows, changes the song with N and P, pauses with Space', async () => {
  signInAs(makeProfile())
  const [first, second] = await openNewReleases(makeSongs(3))
  await play(first!)
  await expectPlaying()
  await page.getByRole('heading', { level: 1 }).click()
  await press(' ')
  await expectPaused()
  await press('3')
  await expectPosition(2.5)
  await press('{ArrowRight}')
  await expectPosition(7.5)
  await press('0')
  await expect.poll(() => audio.currentTime).toBe(0)
  await press('n')
  await expectCurrent(second!)
  await press('p')
  await expectCurrent(first!)
  await expectPlaying()
})

test('adds the playing song to the favourites with L and removes it again', async () => {
  signInAs(makeProfile())
  const [song] = await openNewReleases(makeSongs(3))
  const heart = (action: string) => rowOf(song!).getByRole('button', { name: action, exact: true })
  const changed = () => fakeApi.inputsOf(library.favouriteAddRemove).map(({ songId }) => songId)
  await play(song!)
  await expectPlaying()
  await press('l')
  await expect.element(heart(`Remove ${song!.title} from favourites`)).toHaveAttribute('data-active')
  await expect.poll(changed).toEqual([song!.entity_id])
  await press('l')
  await expect.element(heart(`Add ${song!.title} to favourites`)).not.toHaveAttribute('data-active')
  await expect.poll(changed).toEqual([song!.entity_id, song!.entity_id])
})
