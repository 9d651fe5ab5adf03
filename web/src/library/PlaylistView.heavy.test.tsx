import { playlists } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { fakePlaylist } from '../../test/fakePlaylist.ts'
import { currentUrl, playButtonOf, rowOf, songList, songRows, titlesIn } from '../../test/locators.ts'
import { centreOf, dragMouse, pressMouse, releaseMouse } from '../../test/mouse.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs } from '../../test/samples.ts'

const list = songList('Songs in Friday night')
const shownTitles = () => titlesIn(list)
const namesOf = (songs: readonly { title: string }[]) => songs.map(({ title }) => title)
const handleOf = ({ title }: { title: string }) => page.getByRole('button', { name: `Move ${title}`, exact: true })
const nameField = page.getByRole('textbox', { name: 'Playlist name' })
const descriptionField = page.getByRole('textbox', { name: 'Description' })
const options = page.getByRole('button', { name: 'More options for Friday night', exact: true })
const undo = page.getByRole('button', { name: 'Undo' })

async function openPlaylist(songs = makeSongs(4), part: Partial<playlists.Playlist> = {}) {
  signInAs(makeProfile())
  const playlist = fakePlaylist('Friday night', songs, part)
  await openApp(`/playlist/${playlist.id}`)
  await expect.poll(shownTitles).toEqual(namesOf(songs))
  return { ...playlist, songs }
}

async function choose(name: string) {
  await options.click()
  await page.getByRole('menuitem', { name }).click()
}

const focus = (locator: ReturnType<typeof handleOf>) => (locator.element() as HTMLElement).focus()

const expectAnnounced = (sentence: string) =>
  expect.element(page.getByText(sentence, { exact: true })).toBeInTheDocument()

test('moves a song with Alt and the arrows and keeps the focus on it', async () => {
  const { id, songs, savedTitles } = await openPlaylist()
  const [first, second, third, fourth] = songs
  await userEvent.keyboard('j')
  await expect.element(playButtonOf(first!)).toHaveFocus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expectAnnounced(`${first!.title} moved to position 2 of 4.`)
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expectAnnounced(`${first!.title} moved to position 3 of 4.`)
  await expect.element(playButtonOf(first!)).toHaveFocus()
  const order = namesOf([second!, third!, first!, fourth!])
  expect(shownTitles()).toEqual(order)
  await expect.poll(savedTitles).toEqual(order)
  // Several quick steps become one request, or two on a slow machine.
  expect(fakeApi.inputsOf(playlists.reorderPlaylist).at(-1)).toEqual({
    playlist_id: id,
    song_id: first!.entity_id,
    position: 3,
  })
})

test('moves a song that was picked up with Space, and cancels the move with Escape', async () => {
  const { songs, savedTitles } = await openPlaylist()
  const [first, second, third, fourth] = songs
  focus(handleOf(first!))
  await userEvent.keyboard(' ')
  await expect.element(handleOf(first!)).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('{End}')
  await expectAnnounced(`${first!.title} moved to position 4 of 4.`)
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expectAnnounced(`${first!.title} moved to position 2 of 4.`)
  await userEvent.keyboard(' ')
  await expectAnnounced(`${first!.title} dropped.`)
  await expect.element(handleOf(first!)).toHaveFocus()
  const order = namesOf([second!, first!, third!, fourth!])
  await expect.poll(savedTitles).toEqual(order)

  await userEvent.keyboard(' {Home}')
  await expectAnnounced(`${first!.title} moved to position 1 of 4.`)
  await userEvent.keyboard('{Escape}')
  await expectAnnounced(`${first!.title} moved to position 2 of 4.`)
  await expect.poll(shownTitles).toEqual(order)
  await openApp('/genres/index')
  await expect.poll(savedTitles).toEqual(order)
})

test('moves a song that is dragged by its handle', async () => {
  const { songs, savedTitles } = await openPlaylist()
  const [first, second, third, fourth] = songs
  const end = centreOf(rowOf(third!).element())
  await pressMouse(centreOf(handleOf(first!).element()))
  await dragMouse(end)
  const order = namesOf([second!, third!, first!, fourth!])
  await expect.poll(shownTitles).toEqual(order)
  await releaseMouse(end)
  await expect.poll(savedTitles).toEqual(order)
})

test('saves a move at once when the page is left', async () => {
  const { id, songs } = await openPlaylist()
  focus(handleOf(songs[1]!))
  // A move is saved after a pause without further moves: here that pause never ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expectAnnounced(`${songs[1]!.title} moved to position 1 of 4.`)
  expect(fakeApi.inputsOf(playlists.reorderPlaylist)).toEqual([])
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Genres' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(playlists.reorderPlaylist))
    .toEqual([{ playlist_id: id, song_id: songs[1]!.entity_id, position: 1 }])
})

test('moves a song back and says why when its move is rejected', async () => {
  const { songs } = await openPlaylist()
  const [first, second, third, fourth] = songs
  const message = 'The pool is busy. Try again in a moment.'
  fakeApi.rejectWith(playlists.reorderPlaylist, { code: 'internal_error', message })
  focus(handleOf(first!))
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(shownTitles()).toEqual(namesOf([second!, first!, third!, fourth!]))
  await expect.element(page.getByText('Couldn’t move the song')).toBeVisible()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.poll(shownTitles).toEqual(namesOf(songs))
  await expect.element(handleOf(first!)).toHaveFocus()
})

test('restores a removed song to its position with Undo', async () => {
  const { id, songs, savedTitles } = await openPlaylist()
  const second = songs[1]!
  await page.getByRole('button', { name: `More options for ${second.title}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from playlist' }).click()
  await expect.element(rowOf(second)).not.toBeInTheDocument()
  await expect.element(page.getByText('1 song removed from “Friday night”.')).toBeVisible()
  expect(savedTitles()).toHaveLength(3)
  await undo.click()
  await expect.poll(shownTitles).toEqual(namesOf(songs))
  expect(savedTitles()).toEqual(namesOf(songs))
  expect(fakeApi.inputsOf(playlists.changePlaylistSongs).at(-1)).toEqual({
    playlist_id: id,
    song_ids: [second.entity_id],
    action: 'add',
    position: 2,
  })
})

test('restores selected songs to their positions with Undo', async () => {
  const { songs, savedTitles } = await openPlaylist(makeSongs(5))
  await rowOf(songs[1]!).getByText('8A').click()
  await rowOf(songs[3]!)
    .getByText('8A')
    .click({ modifiers: ['ControlOrMeta'] })
  const selected = page.getByRole('region', { name: 'Selected songs' })
  await selected.getByRole('button', { name: 'Remove from playlist' }).click()
  await expect.element(page.getByText('2 songs removed from “Friday night”.')).toBeVisible()
  await expect.poll(() => songRows(list).elements()).toHaveLength(3)
  await undo.click()
  await expect.poll(shownTitles).toEqual(namesOf(songs))
  expect(savedTitles()).toEqual(namesOf(songs))
})

test('restores a deleted playlist with Undo', async () => {
  const { songs } = await openPlaylist()
  const tile = page.getByRole('list', { name: 'Your playlists' }).getByRole('link', { name: 'Friday night' })
  await choose('Delete')
  await expect.poll(currentUrl).toBe('/playlist')
  await expect.element(page.getByText('“Friday night” deleted.')).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Playlists' })).toBeVisible()
  await expect.element(tile).not.toBeInTheDocument()
  await undo.click()
  await tile.click()
  await expect.poll(shownTitles).toEqual(namesOf(songs))
})

test('keeps the dialog open when the new name is taken', async () => {
  await openPlaylist()
  const message = 'You already have a playlist named “Saturday”.'
  fakeApi.rejectWith(playlists.savePlaylist, { code: 'playlist_title_taken', message, fields: { title: message } })
  await choose('Edit playlist')
  await expect.element(nameField).toHaveFocus()
  await nameField.fill('Saturday')
  await userEvent.keyboard('{Enter}')
  await expect.element(nameField).toHaveAccessibleDescription(message)
  await expect.element(nameField).toHaveFocus()
  await expect.element(nameField).toHaveValue('Saturday')
})

test('changes name and description of a playlist and returns the focus to the button', async () => {
  const { id } = await openPlaylist(makeSongs(4), { description: 'Slow and deep.' })
  const changed = makePlaylist({ playlist_id: id, title: 'Friday late', description: 'Faster now.' })
  fakeApi.reply(playlists.savePlaylist, { playlist: changed })
  await expect.element(page.getByText('Slow and deep.')).toBeVisible()
  await choose('Edit playlist')
  await expect.element(nameField).toHaveValue('Friday night')
  await expect.element(descriptionField).toHaveValue('Slow and deep.')
  await expect.element(descriptionField).toHaveAccessibleDescription('14 of 300 characters')
  await nameField.fill('Friday late')
  await descriptionField.fill('Faster now.')
  fakeApi.reply(playlists.viewPlaylist, {
    playlist: changed,
    pagination: { page: 1, perPageLimit: 100, totalCount: 0 },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Friday late' })).toBeVisible()
  await expect.element(page.getByText('Faster now.')).toBeVisible()
  await expect.element(nameField).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'More options for Friday late' })).toHaveFocus()
  expect(fakeApi.inputsOf(playlists.savePlaylist)).toEqual([
    { playlist_id: id, title: 'Friday late', description: 'Faster now.' },
  ])
})

test('shows at the field that a description is too long', async () => {
  await openPlaylist()
  await choose('Edit playlist')
  await descriptionField.fill('x'.repeat(301))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(descriptionField).toHaveAccessibleDescription(/Use at most 300 characters\./)
  await expect.element(descriptionField).toHaveAccessibleDescription(/301 of 300 characters/)
  expect(fakeApi.inputsOf(playlists.savePlaylist)).toEqual([])
})

test('offers no changes to a public playlist of someone else, only a copy', async () => {
  const { id, songs } = await openPlaylist(makeSongs(3), { public: true, mine: false, description: 'Ours.' })
  expect(page.getByRole('button', { name: /^Move / }).elements()).toEqual([])
  await options.click()
  await expect.element(page.getByRole('menuitem', { name: 'Copy to my playlists' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: /^(Edit playlist|Delete)$/ }).elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  focus(playButtonOf(songs[0]!))
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(shownTitles()).toEqual(namesOf(songs))

  fakeApi.reply(playlists.savePlaylist, ({ title }) => {
    const copy = fakePlaylist(title, songs)
    return { playlist: makePlaylist({ playlist_id: copy.id, title }) }
  })
  await choose('Copy to my playlists')
  await expect.element(page.getByText('Copied to your playlists as “Friday night”.')).toBeVisible()
  await expect.poll(currentUrl).not.toBe(`/playlist/${id}`)
  await expect.element(handleOf(songs[0]!)).toBeVisible()
  const song_ids = songs.map(({ entity_id }) => entity_id)
  expect(fakeApi.inputsOf(playlists.savePlaylist)).toEqual([{ title: 'Friday night', description: 'Ours.', song_ids }])
  expect(fakeApi.inputsOf(playlists.reorderPlaylist)).toEqual([])
})

test('offers to share only a playlist that others can open', async () => {
  await openPlaylist()
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await expect.element(page.getByRole('button', { name: 'Play all' })).toBeEnabled()
  await expect.element(share).not.toBeInTheDocument()
  await openPlaylist(makeSongs(2), { public: true })
  await expect.element(share).toBeVisible()
})

test('keeps its actions in one line and its list below the filters, also on a phone', async () => {
  await openPlaylist(makeSongs(4), { public: true })
  const top = (element: Element) => element.getBoundingClientRect().top
  onTestFinished(() => page.viewport(1440, 900))
  for (const width of [1440, 390]) {
    await page.viewport(width, 844)
    const share = page.getByRole('button', { name: 'Share', exact: true })
    await expect.poll(() => top(share.element())).toBe(top(page.getByRole('button', { name: 'Play all' }).element()))
    const bar = page.getByRole('group', { name: 'Filters' }).element().getBoundingClientRect()
    expect(top(list.element())).toBeGreaterThanOrEqual(bar.bottom)
  }
})

test('asks a visitor to sign in', async () => {
  await openApp('/playlist/7')
  await expect.element(page.getByText('Sign in to listen to this playlist.')).toBeVisible()
})
