import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { makeSongs } from '../../test/samples.ts'
import { expectCurrent, expectPaused, expectPlaying, openNewReleases, player, playerButton, rowOf } from './testing.ts'

const queue = page.getByRole('dialog', { name: 'Queue' })
const handleOf = (title: string) => queue.getByRole('button', { name: `Move ${title}`, exact: true })

/** The titles in the queue, in order. */
const titles = () =>
  queue
    .getByRole('listitem')
    .getByRole('button', { name: /^Move / })
    .elements()
    .map((handle) => handle.ariaLabel?.slice('Move '.length))

/** Adds three songs to the queue by their menus and opens it. */
async function queueThree() {
  const songs = await openNewReleases(makeSongs(3))
  for (const song of songs) {
    await rowOf(song)
      .getByRole('button', { name: `More options for ${song.title}` })
      .click()
    await page.getByRole('menuitem', { name: 'Add to queue' }).click()
  }
  await playerButton('Queue (3 songs)').click()
  await expect.poll(titles).toEqual(['Song 1', 'Song 2', 'Song 3'])
  return songs
}

test('moves a song with Alt and an arrow key, keeps the focus and announces its position', async () => {
  await queueThree()
  ;(handleOf('Song 1').element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.poll(titles).toEqual(['Song 2', 'Song 1', 'Song 3'])
  await expect.element(handleOf('Song 1')).toHaveFocus()
  await expect.element(queue.getByText('Song 1 moved to position 2 of 3.')).toBeInTheDocument()
})

test('removes a song, jumps to another one and clears the queue', async () => {
  const [, , third] = await queueThree()
  await queue.getByRole('button', { name: 'Remove Song 2 from queue' }).click()
  await expect.poll(titles).toEqual(['Song 1', 'Song 3'])
  await queue.getByText('Song 3', { exact: true }).click()
  await expectCurrent(third!)
  await expectPlaying()

  await queue.getByRole('button', { name: 'Clear queue' }).click()
  await expect.poll(titles).toEqual([])
  await expectPaused()
  await expect.element(player.getByText('Nothing playing')).toBeVisible()
})
