import { catalogue, playlists } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { playButtonOf, songRows } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, singlePage } from '../../test/samples.ts'

const choice = page.getByRole('dialog', { name: 'Add to playlist' })
const firstChoice = choice.getByRole('listitem').first().getByRole('button')
const friday = makePlaylist({ title: 'Friday' })

let song: catalogue.Song

/** Opens the menu of the focused row, and moves down to one of its items. */
async function chooseFromMenu(name: string) {
  const items = page.getByRole('menuitem')
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await expect.element(items.first()).toHaveFocus()
  const steps = items.elements().findIndex(({ textContent }) => textContent === name)
  await userEvent.keyboard('{ArrowDown}'.repeat(steps))
  await expect.element(page.getByRole('menuitem', { name, exact: true })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
}

beforeEach(async () => {
  signInAs(makeProfile())
  const songs = makeSongs(1)
  song = songs[0]!
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(songs.length) })
  fakeApi.reply(playlists.getPlaylists, { playlists: [friday] })
  await openApp('/newRelease')
  await expect.element(songRows().first()).toBeVisible()
  await userEvent.keyboard('j')
  await expect.element(playButtonOf(song)).toHaveFocus()
  await chooseFromMenu('Add to playlist…')
  await expect.element(choice.getByText(`“${song.title}”`)).toBeVisible()
  await expect.element(firstChoice).toHaveFocus()
})

test('creates a playlist by keyboard alone and returns the focus to the row', async () => {
  fakeApi.reply(playlists.savePlaylist, ({ title }) => ({ playlist: makePlaylist({ title, song_count: 1 }) }))
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(choice.getByRole('button', { name: 'New playlist…' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(choice.getByRole('textbox', { name: 'Playlist name' })).toHaveFocus()
  await userEvent.keyboard('By keyboard{Enter}')
  await expect.element(page.getByText('1 song added to “By keyboard”.')).toBeVisible()
  await expect.element(choice).not.toBeInTheDocument()
  await expect.element(playButtonOf(song)).toHaveFocus()
  expect(fakeApi.inputsOf(playlists.savePlaylist)).toEqual([{ title: 'By keyboard', song_ids: [song.entity_id] }])
})

test('says that a song was already in the playlist', async () => {
  fakeApi.reply(playlists.changePlaylistSongs, { playlist: friday, changed: 0 })
  await expect.element(firstChoice).toHaveTextContent('Friday')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Already in “Friday”.')).toBeVisible()
  await expect.element(choice).not.toBeInTheDocument()
  await expect.element(playButtonOf(song)).toHaveFocus()
  expect(fakeApi.inputsOf(playlists.changePlaylistSongs)).toEqual([
    { playlist_id: friday.playlist_id, song_ids: [song.entity_id], action: 'add' },
  ])
})
