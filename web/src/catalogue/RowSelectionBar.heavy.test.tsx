import { catalogue, library, playlists } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { crateLink } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, pagePlaylists } from '../../test/samples.ts'
import { fakeCrate } from '../library/fakeCrate.ts'
import { expectRows, openNewReleases, rowOf } from '../player/testing.ts'
import { bar, emptySpotIn, expectSelected } from './selectionTestHelpers.ts'

const idsOf = (songs: catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)

/** Selects the rows from one song to another. */
async function select(from: catalogue.Song, to: catalogue.Song) {
  await emptySpotIn(from).click()
  await emptySpotIn(to).click({ modifiers: ['Shift'] })
}

test('adds the selected songs to the crate, and Undo removes them', async () => {
  const songs = makeSongs(24)
  const crate = fakeCrate(songs)
  signInAs(makeProfile())
  await openNewReleases(songs)
  await select(songs[1]!, songs[3]!)
  await expectSelected(songs.slice(1, 4))
  await bar.getByRole('button', { name: 'Add to crate' }).click()
  await expect.element(page.getByText('3 songs added to your crate.')).toBeVisible()
  await expect.element(crateLink).toHaveAccessibleName('Crate 3 songs')
  const crateButton = (action: string) => rowOf(songs[2]!).getByRole('button', { name: action, exact: true })
  const remove = crateButton(`Remove ${songs[2]!.title} from crate`)
  await expect.element(remove).toHaveAttribute('data-active')
  expect(crate.ids()).toEqual(idsOf(songs.slice(1, 4)))

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(crateLink).toHaveAccessibleName('Crate')
  expect(crate.ids()).toEqual([])
  const add = crateButton(`Add ${songs[2]!.title} to crate`)
  await expect.element(add).not.toHaveAttribute('data-active')
  await expectSelected(songs.slice(1, 4))
})

test('adds only songs that are not in the crate yet', async () => {
  const songs = makeSongs(24)
  fakeCrate(songs, [songs[2]!])
  signInAs(makeProfile())
  await openNewReleases(songs)
  await expect.element(crateLink).toHaveAccessibleName('Crate 1 song')
  await select(songs[1]!, songs[3]!)
  await bar.getByRole('button', { name: 'Add to crate' }).click()
  await expect.element(page.getByText('2 songs added to your crate.')).toBeVisible()
  const song_ids = idsOf([songs[1]!, songs[3]!])
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([{ song_ids, action: 'add' }])
})

test('adds the selected songs to a playlist in the order of the list', async () => {
  const playlist = makePlaylist({ title: 'Together' })
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists([playlist], input))
  fakeApi.reply(playlists.changePlaylistSongs, { playlist, changed: 2 })
  signInAs(makeProfile())
  const songs = await openNewReleases()
  await select(songs[6]!, songs[4]!)
  await expectSelected(songs.slice(4, 7))
  await bar.getByRole('button', { name: 'Add to playlist…' }).click()
  const choice = page.getByRole('dialog', { name: 'Add to playlist' })
  await expect.element(choice.getByText('3 songs', { exact: true })).toBeVisible()
  await choice.getByRole('button', { name: 'Together' }).click()
  await expect.element(page.getByText('2 songs added to “Together”. 1 was already there.')).toBeVisible()
  await expect.element(choice).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(playlists.changePlaylistSongs)).toEqual([
    { playlist_id: playlist.playlist_id, song_ids: idsOf(songs.slice(4, 7)), action: 'add' },
  ])
})

test('clears the selection when another page of the list is opened', async () => {
  const all = makeSongs(30)
  fakeApi.reply(catalogue.getNewRelease, ({ page = 1 }) => ({
    songs: all.slice((Number(page) - 1) * 24, Number(page) * 24),
    pagination: { page: Number(page), perPageLimit: 24, totalCount: 30 },
  }))
  await openApp('/newRelease')
  await expectRows(24)
  await select(all[0]!, all[2]!)
  await expectSelected(all.slice(0, 3))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => location.search).toBe('?page=2')
  await expect.element(rowOf(all[24]!)).toBeVisible()
  await expectSelected([])
  history.back()
  await expect.element(rowOf(all[0]!)).toBeVisible()
  await expectSelected([])
})
