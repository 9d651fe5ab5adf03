import { catalogue, membership, playlists } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { fakePlaylist } from '../../test/fakePlaylist.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, pagePlaylists, singlePage } from '../../test/samples.ts'

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

const main = page.getByRole('main')
const own = main.getByRole('list', { name: 'Your playlists' })
const shared = main.getByRole('list', { name: 'Curated playlists' })
const searchField = main.getByRole('searchbox', { name: 'Search playlists' })
const lastLink = (list: typeof own) => list.getByRole('link').last()

/** A member with 30 playlists in a pool with 60 public ones. */
function fakePlaylists() {
  const numbered = (title: string, count: number, overrides: Partial<playlists.Playlist>) =>
    Array.from({ length: count }, (_, n) => makePlaylist({ title: `${title} ${n + 1}`, ...overrides }))
  const all = [...numbered('Mine', 30, {}), ...numbered('Set', 60, { mine: false, public: true })]
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists(all, input))
  signInAs(makeProfile())
  return all
}

test('shows the first page of the own playlists, and the next one on request', async () => {
  fakePlaylists()
  await openApp('/playlist')
  await expect.element(main.getByText('30 playlists')).toBeVisible()
  await expect.element(lastLink(own)).toHaveAccessibleName(/^Mine 24 /)
  await main.getByRole('button', { name: 'Show more' }).click()
  await expect.element(lastLink(own)).toHaveAccessibleName(/^Mine 30 /)
  await expect.element(main.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
})

test('loads more public playlists while scrolling, and Back returns to the same place', async () => {
  const all = fakePlaylists()
  const { playlist_id } = all.find(({ title }) => title === 'Set 60')!
  const viewed = { ...all.at(-1)!, title: 'Set 60' }
  fakeApi.reply(playlists.viewPlaylist, { playlist: viewed, pagination: singlePage(0) })
  await openApp('/playlist')
  await expect.element(shared.getByRole('link').first()).toHaveAccessibleName(/^Set 1 /)
  for (const last of [24, 48, 60]) {
    await expect.element(shared.getByRole('link', { name: `Set ${last} ` })).toBeInTheDocument()
    lastLink(shared).element().scrollIntoView()
  }
  const place = scrollY
  expect(place).toBeGreaterThan(500)
  await shared.getByRole('link', { name: 'Set 60 ' }).click()
  await expect.poll(() => location.pathname).toBe(`/playlist/${playlist_id}`)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Set 60' })).toBeVisible()
  history.back()
  await expect.element(shared.getByRole('link', { name: 'Set 60 ' })).toBeInViewport()
  await expect.poll(() => scrollY).toBe(place)
})

test('searches both lists; the search is in the URL', async () => {
  fakePlaylists()
  await openApp('/playlist')
  await searchField.fill('set 6')
  await expect.poll(() => location.search).toBe('?find=set+6')
  await expect.element(lastLink(shared)).toHaveAccessibleName(/^Set 60 /)
  await expect.element(own).not.toBeInTheDocument()
  expect(shared.getByRole('link').elements()).toHaveLength(2)
  await searchField.fill('nothing')
  await expect.element(main.getByRole('heading', { name: 'No playlists match “nothing”.' })).toBeVisible()
  await expect.element(shared).not.toBeInTheDocument()
  await searchField.fill('')
  await expect.element(lastLink(own)).toHaveAccessibleName(/^Mine 24 /)
})

test('offers to load again the page that could not be loaded', async () => {
  const all = fakePlaylists()
  let isBroken = true
  fakeApi.reply(playlists.getPlaylists, (input) => {
    if (isBroken && Number(input.page) === 2) throw errorReply({ code: 'internal_error', message: 'A problem.' })
    return pagePlaylists(all, input)
  })
  await openApp('/playlist')
  await main.getByRole('button', { name: 'Show more' }).click()
  const problem = own.getByText('Couldn’t load these playlists.')
  await expect.element(problem).toBeVisible()
  await expect.element(own.getByRole('link', { name: 'Mine 24 ' })).toBeInTheDocument()
  isBroken = false
  await own.getByRole('button', { name: 'Try again' }).click()
  await expect.element(lastLink(own)).toHaveAccessibleName(/^Mine 30 /)
})

test('says that there is no connection, and loads the playlists when it is back', async () => {
  fakePlaylists()
  await openApp('/library')
  await expect.element(main.getByRole('link', { name: 'Playlists 30' })).toBeVisible()
  fakeApi.setOffline(true)
  await main.getByRole('link', { name: 'Playlists 30' }).click()
  await expect.element(main.getByRole('heading', { name: 'Couldn’t load your playlists' })).toBeVisible()
  fakeApi.setOffline(false)
  await expect.element(lastLink(own)).toHaveAccessibleName(/^Mine 24 /)
  await expect.element(shared.getByRole('link').first()).toHaveAccessibleName(/^Set 1 /)
})
