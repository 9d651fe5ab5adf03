import { catalogue, membership, playlists } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { fakePlaylist } from '../../test/fakePlaylist.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, singlePage } from '../../test/samples.ts'

const nameField = page.getByRole('textbox', { name: 'Playlist name' })

test('keeps the text and the focus when the name is taken, and accepts another', async () => {
  signInAs(makeProfile())
  fakePlaylist('Friday', [])
  const message = 'You already have a playlist named “Friday”.'
  fakeApi.reply(playlists.savePlaylist, ({ title }) => {
    if (title.toLowerCase() === 'friday') throw errorReply({ code: 'playlist_title_taken', message })
    return { playlist: makePlaylist({ playlist_id: fakePlaylist(title, []).id, title }) }
  })
  await openApp('/playlist')
  await page.getByRole('button', { name: 'New playlist' }).click()
  await expect.element(nameField).toHaveFocus()
  await userEvent.keyboard('friday')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect.element(nameField).toHaveAccessibleDescription(message)
  await expect.element(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect.element(nameField).toHaveValue('friday')
  await expect.element(nameField).toHaveFocus()

  await userEvent.keyboard(' night{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: 'friday night' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No songs in this playlist yet' })).toBeVisible()
})

test('lists public playlists of others and opens them', async () => {
  signInAs(makeProfile())
  fakePlaylist('From the front desk', makeSongs(3), { public: true, mine: false })
  await openApp('/playlist')
  const shared = page.getByRole('list', { name: 'Curated playlists' })
  await shared.getByRole('link', { name: 'From the front desk' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'From the front desk' })).toBeVisible()
})

test('asks a visitor to sign in, and shows the playlists afterwards', async () => {
  fakePlaylist('Friday', makeSongs(1))
  fakeApi.reply(membership.signIn, { token: 'token', profile: makeProfile() })
  fakeApi.reply(membership.getProfile, { profile: makeProfile() })
  await openApp('/playlist')
  const main = page.getByRole('main')
  await expect.element(main.getByRole('heading', { name: 'Sign in to see this page' })).toBeVisible()
  await main.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign In' })
  await dialog.getByLabelText('Email').fill('dj@pool.test')
  await dialog.getByLabelText('Password', { exact: true }).fill('dubplate')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  const own = page.getByRole('list', { name: 'Your playlists' })
  await expect.element(own.getByRole('link', { name: 'Friday' })).toBeVisible()
})

test('asks a visitor who adds a song to a playlist to sign in', async () => {
  const songs = makeSongs(1)
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(songs.length) })
  await openApp('/newRelease')
  await page.getByRole('button', { name: `More options for ${songs[0]!.title}` }).click()
  await page.getByRole('menuitem', { name: 'Add to playlist…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Sign In' })).toBeVisible()
})
