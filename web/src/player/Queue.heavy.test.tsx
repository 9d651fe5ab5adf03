import type { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { makeSongs } from '../../test/samples.ts'
import {
  expectCurrent,
  expectPaused,
  expectPlaying,
  openNewReleases,
  play,
  player,
  playerButton,
  rowOf,
} from './testing.ts'

const queue = page.getByRole('dialog', { name: 'Queue' })
const handleOf = (title: string) => queue.getByRole('button', { name: `Move ${title}`, exact: true })

/** The titles of the songs that can be moved below a heading of the queue, in order; empty without the heading. */
const titles = (heading: string) => {
  const items = queue.getByRole('listitem').elements()
  const from = items.findIndex((item) => item.querySelector('h3')?.textContent === heading)
  const below = from < 0 ? [] : items.slice(from + 1)
  const to = below.findIndex((item) => item.querySelector('h3'))
  return below
    .slice(0, to < 0 ? undefined : to)
    .map((item) => item.querySelector('[data-handle]')?.ariaLabel?.slice('Move '.length))
}

const nowPlaying = queue.getByRole('listitem').filter({ hasText: 'Ada Vale' }).first()

async function addToQueue(song: catalogue.Song) {
  await rowOf(song)
    .getByRole('button', { name: `More options for ${song.title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Add to queue' }).click()
}

/** Adds three songs to the queue by their menus and opens it. */
async function queueThree() {
  const songs = await openNewReleases(makeSongs(3))
  for (const song of songs) await addToQueue(song)
  await playerButton('Queue (2 songs added)').click()
  await expect.poll(() => titles('Next in queue')).toEqual(['Song 2', 'Song 3'])
  return songs
}

/** Plays the first of four songs of a list, adds the last one, and opens the queue. */
async function playFirstOfFour() {
  const songs = await openNewReleases(makeSongs(4))
  await play(songs[0]!)
  await addToQueue(songs[3]!)
  await playerButton('Queue (1 song added)').click()
  await expect.poll(() => titles('Next in queue')).toEqual(['Song 4'])
  return songs
}

test('shows what plays now, what was added and the rest of the list', async () => {
  const [first] = await playFirstOfFour()
  await expect.element(nowPlaying).toHaveTextContent(first!.title)
  await expect.poll(() => titles('Next from “New releases”')).toEqual(['Song 2', 'Song 3'])
  await playerButton('Next song').click()
  await expect.element(nowPlaying).toHaveTextContent('Song 4')
  await expect.element(queue.getByText('Next in queue')).not.toBeInTheDocument()
})

test('draws no focus ring around the queue that is opened by keyboard', async () => {
  const songs = await openNewReleases(makeSongs(2))
  await play(songs[0]!)
  await userEvent.keyboard('q')
  await expect.element(queue).toHaveFocus()
  expect(queue.element().matches(':focus-visible')).toBe(true)
  expect(getComputedStyle(queue.element()).outlineStyle).toBe('none')
})

test('moves a song with Alt and an arrow key, keeps the focus and announces its position', async () => {
  await queueThree()
  ;(handleOf('Song 2').element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.poll(() => titles('Next in queue')).toEqual(['Song 3', 'Song 2'])
  await expect.element(handleOf('Song 2')).toHaveFocus()
  await expect.element(queue.getByText('Song 2 moved to position 2 of 2.')).toBeInTheDocument()
})

test('moves a song from the list into what was added', async () => {
  await playFirstOfFour()
  ;(handleOf('Song 2').element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.poll(() => titles('Next in queue')).toEqual(['Song 2', 'Song 4'])
  await expect.element(handleOf('Song 2')).toHaveFocus()
  await expect.poll(() => titles('Next from “New releases”')).toEqual(['Song 3'])
})

test('removes a song, plays another one, clears what was added, then everything', async () => {
  const [, , third] = await playFirstOfFour()
  await queue.getByRole('button', { name: 'Remove Song 2 from queue' }).click()
  await expect.poll(() => titles('Next from “New releases”')).toEqual(['Song 3'])
  await queue.getByText('Song 3', { exact: true }).click()
  await expectCurrent(third!)
  await expectPlaying()
  await queue.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.element(queue.getByText('Next in queue')).not.toBeInTheDocument()
  await expectPlaying()

  await queue.getByRole('button', { name: 'Clear queue' }).click()
  await expectPaused()
  await expect.element(player).not.toBeInTheDocument()
})
