import { catalogue, playlists } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { playButtonOf, songRows } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, pagePlaylists, singlePage } from '../../test/samples.ts'
import { queryClient } from '../platform/queries.ts'

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
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists([friday], input))
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

test('reaches every one of five hundred playlists by scrolling and by searching', async () => {
  const all = Array.from({ length: 500 }, (_, n) => makePlaylist({ title: `Set ${n + 1}` }))
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists(all, input))
  fakeApi.reply(playlists.changePlaylistSongs, { playlist: all[499]!, changed: 1 })
  await userEvent.keyboard('{Escape}')
  await expect.element(choice).not.toBeInTheDocument()
  await queryClient.invalidateQueries({ refetchType: 'all' })
  await chooseFromMenu('Add to playlist…')
  const lastChoice = choice.getByRole('listitem').last().getByRole('button')
  await expect.element(lastChoice).toHaveTextContent('Set 24')
  await expect.element(firstChoice).toHaveFocus()
  lastChoice.element().scrollIntoView()
  await expect.element(lastChoice).toHaveTextContent('Set 48')

  await choice.getByRole('searchbox', { name: 'Search your playlists' }).fill('set 500')
  await expect.element(lastChoice).toHaveTextContent('Set 500')
  await lastChoice.click()
  await expect.element(page.getByText('1 song added to “Set 500”.')).toBeVisible()
  expect(fakeApi.inputsOf(playlists.changePlaylistSongs)[0]?.playlist_id).toBe(all[499]!.playlist_id)
})

test('says that no playlist matches the search', async () => {
  const all = Array.from({ length: 8 }, (_, n) => makePlaylist({ title: `Set ${n + 1}` }))
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists(all, input))
  await userEvent.keyboard('{Escape}')
  await queryClient.invalidateQueries({ refetchType: 'all' })
  await chooseFromMenu('Add to playlist…')
  await choice.getByRole('searchbox', { name: 'Search your playlists' }).fill('none')
  await expect.element(choice.getByText('No playlists match “none”.')).toBeVisible()
})
