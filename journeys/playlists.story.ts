import { type catalogue, playlists } from '@dubplate/contract'
import { callApi, expect, getDemoSongs, getToken, readTitles, signInAs, songList, test } from './support.ts'

const getIds = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)

/** Returns the ids of a playlist's songs in their order on the server. */
const getSavedSongs = async (playlist_id: number, token: string) =>
  (await callApi(playlists.viewPlaylist, { playlist_id }, token)).song_ids

test('copies a public playlist, and reorders the copy without changing the original', { tag: '@smoke' }, async ({
  page,
}) => {
  const staff = await getToken('staff@demo.test')
  const songs = await getDemoSongs(3)
  const [first, second, third] = songs
  const title = 'From the front desk'
  const input = { title, song_ids: getIds(songs), public: true }
  const { playlist: original } = await callApi(playlists.savePlaylist, input, staff)
  const token = await signInAs(page, 'free@demo.test')
  const shown = () => readTitles(songList(page, `Songs in ${title}`))
  await page.goto('/playlist')
  await page.getByRole('list', { name: 'Curated playlists' }).getByRole('link', { name: title }).click()
  await expect.poll(shown).toEqual(songs.map((song) => song.title))

  await page.getByRole('button', { name: `More options for ${title}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy to my playlists' }).click()
  await expect(page).not.toHaveURL(new RegExp(`/${original.playlist_id}$`))
  await page.getByRole('button', { name: `Move ${first!.title}`, exact: true }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  const order = [second!, first!, third!]
  const { playlists: own } = await callApi(playlists.getPlaylists, {}, token)
  const copy = own.find((playlist) => playlist.title === title)!
  await expect.poll(() => getSavedSongs(copy.playlist_id, token)).toEqual(getIds(order))
  expect(await getSavedSongs(original.playlist_id, token)).toEqual(getIds(songs))
  await page.reload()
  await expect.poll(shown).toEqual(order.map((song) => song.title))
})
