import { type catalogue, player as listening, playlists } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  dialog,
  enterAs,
  expect,
  hearItRun,
  listNamed,
  newestSongs,
  rowOf,
  rowsOf,
  signInThroughDialog,
  test,
  titlesOf,
  tokenOf,
} from './support.ts'

const idsOf = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)
const namesOf = (songs: readonly catalogue.Song[]) => songs.map(({ title }) => title)

/** A playlist that was there before the story begins. */
const havePlaylist = async (token: string, title: string, songs: readonly catalogue.Song[], isPublic = false) => {
  const rest = { ...(songs.length ? { song_ids: idsOf(songs) } : {}), ...(isPublic ? { public: true } : {}) }
  return (await ask(playlists.savePlaylist, { title, ...rest }, token)).playlist
}

/** What the server holds of a playlist, as ids in order. */
const keptIn = async (playlist_id: number, token: string) =>
  (await ask(playlists.viewPlaylist, { playlist_id }, token)).song_ids

const ownPlaylist = async (title: string, token: string) => {
  const { playlists: own } = await ask(playlists.getPlaylists, {}, token)
  const found = own.find((playlist) => playlist.title === title)
  if (!found) throw new Error(`The member has no playlist “${title}”.`)
  return found
}

const songsIn = (page: Page, title: string) => listNamed(page, `Songs of the playlist ${title}`)
const shownIn = (page: Page, title: string) => titlesOf(songsIn(page, title))

async function openPlaylist(page: Page, { playlist_id, title, song_count }: playlists.Playlist): Promise<void> {
  await page.goto(`/playlist/${playlist_id}`)
  await expect(rowsOf(songsIn(page, title))).toHaveCount(song_count)
}

const handleOf = (page: Page, { title }: catalogue.Song) =>
  page.getByRole('button', { name: `Move ${title}`, exact: true })
const playOf = (page: Page, { title, artist }: catalogue.Song) =>
  rowOf(page, { title }).getByRole('button', { name: `Play ${title} by ${artist}`, exact: true })
const nameField = (within: Page | Locator) => within.getByRole('textbox', { name: /^Name of the (new )?playlist$/ })

/** Opens the menu of the row that has the focus, and walks down to an item of it. */
async function chooseByKeyboard(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  const above = (await page.getByRole('menuitem').allInnerTexts()).indexOf(name)
  for (let step = 0; step < above; step++) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
}

test('a playlist is made by keyboard alone, and a song that is in it is not put in twice', { tag: '@smoke' }, async ({
  page,
}) => {
  const token = await enterAs(page, 'dj@demo.test')
  const [song] = await newestSongs(1)
  const title = 'By keyboard'
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
  await page.keyboard.press('j')
  await expect(playOf(page, song!)).toBeFocused()

  const choice = dialog(page, 'Add to playlist')
  await chooseByKeyboard(page, 'Add to playlist…')
  await expect(choice.getByText(`“${song!.title}”`)).toBeVisible()
  await expect(choice.getByRole('listitem').first().getByRole('button')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(choice.getByRole('button', { name: 'New playlist…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(nameField(choice)).toBeFocused()
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`1 song in the new playlist “${title}”.`)).toBeVisible()
  await expect(choice).toBeHidden()
  await expect(playOf(page, song!)).toBeFocused()

  await chooseByKeyboard(page, 'Add to playlist…')
  await expect(choice.getByRole('listitem').first().getByRole('button')).toBeFocused()
  await expect(choice.getByRole('listitem').first()).toContainText(title)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Already in “${title}”.`)).toBeVisible()
  await expect(choice).toBeHidden()
  await expect(playOf(page, song!)).toBeFocused()
  const { playlist_id } = await ownPlaylist(title, token)
  expect(await keptIn(playlist_id, token)).toEqual([song!.entity_id])
})

test('a song of a playlist is moved by keyboard, the focus goes with it, and the order is kept', async ({ page }) => {
  const token = await enterAs(page, 'dj@demo.test')
  const songs = await newestSongs(4)
  const [first, second, third, fourth] = songs
  const playlist = await havePlaylist(token, 'In order', songs)
  const { playlist_id, title } = playlist
  const shown = () => shownIn(page, title)
  const isSaid = (sentence: string) => expect(page.getByText(sentence, { exact: true })).toBeAttached()
  await openPlaylist(page, playlist)
  await page.keyboard.press('j')
  await expect(playOf(page, first!)).toBeFocused()

  await page.keyboard.press('Alt+ArrowDown')
  await isSaid(`${first!.title} moved to place 2 of 4.`)
  await page.keyboard.press('Alt+ArrowDown')
  await isSaid(`${first!.title} moved to place 3 of 4.`)
  await expect(playOf(page, first!)).toBeFocused()
  expect(await shown()).toEqual(namesOf([second!, third!, first!, fourth!]))

  await page.keyboard.press('Shift+Tab')
  await expect(handleOf(page, first!)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(handleOf(page, first!)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('End')
  await isSaid(`${first!.title} moved to place 4 of 4.`)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await isSaid(`${first!.title} moved to place 2 of 4.`)
  await page.keyboard.press('Space')
  await isSaid(`${first!.title} put down.`)
  await expect(handleOf(page, first!)).toBeFocused()

  const order = [second!, first!, third!, fourth!]
  await expect.poll(() => keptIn(playlist_id, token)).toEqual(idsOf(order))
  await page.keyboard.press('Space')
  await page.keyboard.press('Home')
  await isSaid(`${first!.title} moved to place 1 of 4.`)
  await page.keyboard.press('Escape')
  await isSaid(`${first!.title} moved to place 2 of 4.`)
  await expect.poll(shown).toEqual(namesOf(order))
  await page.reload()
  await expect.poll(shown).toEqual(namesOf(order))
})

test('a move is kept when the page is left at once', async ({ page }) => {
  const token = await enterAs(page, 'dj@demo.test')
  const [first, second] = await newestSongs(2)
  const playlist = await havePlaylist(token, 'In a hurry', [first!, second!])
  await page.clock.install()
  await openPlaylist(page, playlist)
  await handleOf(page, second!).focus()
  // The server is told once a song rests for a moment: here that moment does not come.
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Genres' }).click()
  await expect.poll(() => keptIn(playlist.playlist_id, token)).toEqual(idsOf([second!, first!]))
})

test('a name that is taken keeps the text and the focus, and another name is accepted', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  await havePlaylist(token, 'Friday', [])
  await page.goto('/playlist')
  await page.getByRole('button', { name: 'New playlist' }).click()
  await expect(nameField(page)).toBeFocused()
  await page.keyboard.type('friday')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(nameField(page)).toHaveAccessibleDescription('You already have a playlist called “Friday”.')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(nameField(page)).toHaveValue('friday')
  await expect(nameField(page)).toBeFocused()

  await page.keyboard.type(' night')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'friday night' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing in this playlist yet' })).toBeVisible()

  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(nameField(page)).toBeFocused()
  await nameField(page).fill('Friday')
  await page.keyboard.press('Enter')
  await expect(nameField(page)).toHaveAccessibleDescription('You already have a playlist called “Friday”.')
  await expect(nameField(page)).toBeFocused()
  await nameField(page).fill('Friday late')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Friday late' })).toBeVisible()
  await expect(nameField(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused()
  await ownPlaylist('Friday late', token)
})

test('songs that were taken out come back to their places', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  const songs = await newestSongs(5)
  const [, second, , fourth] = songs
  const playlist = await havePlaylist(token, 'Out and in', songs)
  const { playlist_id, title } = playlist
  await openPlaylist(page, playlist)
  await rowOf(page, second!)
    .getByRole('button', { name: `More for ${second!.title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Remove from playlist' }).click()
  await expect(rowOf(page, second!)).toHaveCount(0)
  await expect(page.getByText(`1 song taken out of “${title}”.`)).toBeVisible()
  await expect.poll(async () => (await keptIn(playlist_id, token)).length).toBe(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => shownIn(page, title)).toEqual(namesOf(songs))
  expect(await keptIn(playlist_id, token)).toEqual(idsOf(songs))

  await rowOf(page, second!).getByRole('time').click()
  await rowOf(page, fourth!)
    .getByRole('time')
    .click({ modifiers: ['ControlOrMeta'] })
  await page
    .getByRole('region', { name: 'Selected songs' })
    .getByRole('button', { name: 'Remove from playlist' })
    .click()
  await expect(page.getByText(`2 songs taken out of “${title}”.`)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => shownIn(page, title)).toEqual(namesOf(songs))
  expect(await keptIn(playlist_id, token)).toEqual(idsOf(songs))
})

test('a move that is refused goes back, and says so', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  const songs = await newestSongs(3)
  const [first, second, third] = songs
  const playlist = await havePlaylist(token, 'Refused', songs)
  await openPlaylist(page, playlist)
  const message = 'The pool is busy. Try again in a moment.'
  await page.route('**/api/playlist/reorder.json*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message } }),
  )
  await handleOf(page, first!).focus()
  await page.keyboard.press('Alt+ArrowDown')
  expect(await shownIn(page, playlist.title)).toEqual(namesOf([second!, first!, third!]))
  await expect(page.getByText('The song was not moved')).toBeVisible()
  await expect(page.getByText(message)).toBeVisible()
  await expect.poll(() => shownIn(page, playlist.title)).toEqual(namesOf(songs))
  await expect(handleOf(page, first!)).toBeFocused()
})

test('a playlist that was deleted comes back whole', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  const songs = await newestSongs(3)
  const playlist = await havePlaylist(token, 'Gone and back', songs)
  const { playlist_id, title } = playlist
  const tile = page.getByRole('list', { name: 'Your playlists' }).getByRole('link', { name: title })
  await openPlaylist(page, playlist)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/playlist$/)
  await expect(page.getByText(`“${title}” deleted.`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Playlists' })).toBeVisible()
  await expect(tile).toHaveCount(0)
  await expect(keptIn(playlist_id, token)).rejects.toThrow('404')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tile).toBeVisible()
  await tile.click()
  await expect.poll(() => shownIn(page, title)).toEqual(namesOf(songs))
  expect(await keptIn(playlist_id, token)).toEqual(idsOf(songs))
})

test('a song is dragged by its handle to another place', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  const songs = await newestSongs(4)
  const [first, second, third, fourth] = songs
  const playlist = await havePlaylist(token, 'By hand', songs)
  await openPlaylist(page, playlist)
  const to = (await rowOf(page, third!).boundingBox())!
  await handleOf(page, first!).hover()
  await page.mouse.down()
  await page.mouse.move(to.x + 20, to.y + to.height / 2, { steps: 8 })
  const order = [second!, third!, first!, fourth!]
  await expect.poll(() => shownIn(page, playlist.title)).toEqual(namesOf(order))
  await page.mouse.up()
  await expect.poll(() => keptIn(playlist.playlist_id, token)).toEqual(idsOf(order))
  await page.reload()
  await expect.poll(() => shownIn(page, playlist.title)).toEqual(namesOf(order))
})

test("somebody else's public playlist cannot be changed, its copy can", async ({ page }) => {
  const staff = await tokenOf('staff@demo.test')
  const songs = await newestSongs(3)
  const [first, second, third] = songs
  const title = 'From the front desk'
  const theirs = await havePlaylist(staff, title, songs, true)
  const token = await enterAs(page, 'free@demo.test')
  await page.goto('/playlist')
  await page.getByRole('list', { name: 'Playlists from the pool' }).getByRole('link', { name: title }).click()
  await expect.poll(() => shownIn(page, title)).toEqual(namesOf(songs))
  await expect(page.getByRole('button', { name: /^(Move .*|Rename|Delete)$/ })).toHaveCount(0)
  await playOf(page, first!).focus()
  await page.keyboard.press('Alt+ArrowDown')
  expect(await shownIn(page, title)).toEqual(namesOf(songs))

  await page.getByRole('button', { name: 'Copy to my playlists' }).click()
  await expect(page.getByText(`“${title}” is yours now.`)).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`/${theirs.playlist_id}$`))
  await expect(handleOf(page, first!)).toBeVisible()
  await handleOf(page, first!).focus()
  await page.keyboard.press('Alt+ArrowDown')
  const copy = await ownPlaylist(title, token)
  await expect.poll(() => keptIn(copy.playlist_id, token)).toEqual(idsOf([second!, first!, third!]))
  expect(await keptIn(theirs.playlist_id, token)).toEqual(idsOf(songs))
})

test('a visitor who wants playlists is asked to sign in, and gets there', async ({ page }) => {
  const [song] = await newestSongs(1)
  const { playlists: own } = await ask(playlists.getPlaylists, {}, await tokenOf('dj@demo.test'))
  await page.goto('/newRelease')
  await rowOf(page, song!)
    .getByRole('button', { name: `More for ${song!.title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Add to playlist…' }).click()
  await expect(dialog(page, 'Sign In')).toBeVisible()

  await page.goto(`/playlist/${own[0]!.playlist_id}`)
  await expect(page.getByText('Playlists are for members. Sign in to hear this one.')).toBeVisible()
  await page.goto('/playlist')
  await expect(page.getByRole('main').getByRole('heading', { name: 'Sign in to see it' })).toBeVisible()
  await signInThroughDialog(page, 'dj@demo.test')
  await expect(page.getByRole('list', { name: 'Your playlists' }).getByRole('link').first()).toBeVisible()
})

test('what is played from a playlist counts for that playlist', async ({ page }) => {
  const token = await enterAs(page, 'free@demo.test')
  const songs = await newestSongs(2)
  const playlist = await havePlaylist(token, 'Counted', songs)
  const told = () => page.waitForRequest(/\/api\/song\/played\.json/).then((request) => request.postDataJSON())
  /** Thirty seconds of sound in two: what counts is sound, not time. */
  const hearThirtySeconds = () =>
    page.evaluate(() => {
      window.sound.playbackRate = 16
    })

  await openPlaylist(page, playlist)
  const fromPlaylist = told()
  await page.getByRole('button', { name: 'Play all' }).click()
  await hearItRun(page)
  await hearThirtySeconds()
  expect(await fromPlaylist).toMatchObject({
    song_version_id: songs[0]!.version[0]!.song_version_id,
    playlist_id: playlist.playlist_id,
  })

  await page.goto('/newRelease')
  const fromList = told()
  await playOf(page, songs[1]!).click()
  await hearItRun(page)
  await hearThirtySeconds()
  const listen = await fromList
  expect(listen.song_version_id).toBe(songs[1]!.version[0]!.song_version_id)
  expect(listen).not.toHaveProperty('playlist_id')
  const { songs: heard } = await ask(listening.recentPlayed, {}, token)
  expect(heard.map(({ entity_id }) => entity_id)).toContain(songs[0]!.entity_id)
})
