import { playlists } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { crateLink } from '../../test/locators.ts'
import { signInAs } from '../../test/openApp.tsx'
import { startDrag } from '../../test/pointer.ts'
import { makePlaylist, makeProfile, makeSongs, pagePlaylists } from '../../test/samples.ts'
import { fakeCrate } from '../library/fakeCrate.ts'
import { openNewReleases, rowOf } from '../player/testing.ts'
import { emptySpotIn, expectSelected } from './selectionTestHelpers.ts'

const coverOf = (row: Locator) => row.getByRole('cell').nth(1)

/** Drags a row's cover onto a drop target and releases it once the target shows that it accepts songs. */
async function dragOnto(row: Locator, dropTarget: Locator): Promise<void> {
  const drag = await startDrag(coverOf(row))
  await expect.element(dropTarget).toHaveStyle({ outlineStyle: 'dashed' })
  await drag.over(dropTarget)
  await expect.element(dropTarget).toHaveStyle({ outlineStyle: 'solid' })
  await drag.dropOn(dropTarget)
}

test('drops a row, or all selected rows, on the crate', async () => {
  const songs = makeSongs(24)
  const crate = fakeCrate(songs)
  signInAs(makeProfile())
  await openNewReleases(songs)
  await dragOnto(rowOf(songs[1]!), crateLink)
  await expect.element(page.getByText('1 song added to your crate.')).toBeVisible()
  await expect.element(crateLink).toHaveAccessibleName('Crate 1 song')
  await expect.element(crateLink).toHaveStyle({ outlineStyle: 'none' })
  expect(crate.ids()).toEqual([songs[1]!.entity_id])

  await emptySpotIn(songs[3]!).click()
  await emptySpotIn(songs[4]!).click({ modifiers: ['Shift'] })
  await expectSelected([songs[3]!, songs[4]!])
  await dragOnto(rowOf(songs[4]!), crateLink)
  await expect.element(crateLink).toHaveAccessibleName('Crate 3 songs')
  expect(crate.ids()).toEqual([songs[3]!, songs[4]!, songs[1]!].map(({ entity_id }) => entity_id))
  expect(location.pathname).toBe('/newRelease')
})

test('drops a row on one of the recently used playlists', async () => {
  const playlist = makePlaylist({ title: 'Dropped here' })
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists([playlist], input))
  fakeApi.reply(playlists.changePlaylistSongs, { playlist, changed: 1 })
  signInAs(makeProfile())
  const songs = await openNewReleases()
  await dragOnto(rowOf(songs[2]!), page.getByTitle('Dropped here'))
  await expect.element(page.getByText('1 song added to “Dropped here”.')).toBeVisible()
  await expect.element(page.getByText('Drop on a playlist')).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(playlists.changePlaylistSongs)).toEqual([
    { playlist_id: playlist.playlist_id, song_ids: [songs[2]!.entity_id], action: 'add' },
  ])
})
