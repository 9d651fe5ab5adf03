import { type catalogue, playlists } from '@dubplate/contract'
import { ask, enterAs, expect, listNamed, newestSongs, test, titlesOf, tokenOf } from './support.ts'

const idsOf = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)

/** The songs of a playlist on the server, as ids in order. */
const savedSongs = async (playlist_id: number, token: string) =>
  (await ask(playlists.viewPlaylist, { playlist_id }, token)).song_ids

test('copies a public playlist, and reorders the copy without changing the original', { tag: '@smoke' }, async ({
  page,
}) => {
  const staff = await tokenOf('staff@demo.test')
  const songs = await newestSongs(3)
  const [first, second, third] = songs
  const title = 'From the front desk'
  const input = { title, song_ids: idsOf(songs), public: true }
  const { playlist: original } = await ask(playlists.savePlaylist, input, staff)
  const token = await enterAs(page, 'free@demo.test')
  const shown = () => titlesOf(listNamed(page, `Songs in ${title}`))
  await page.goto('/playlist')
  await page.getByRole('list', { name: 'Curated playlists' }).getByRole('link', { name: title }).click()
  await expect.poll(shown).toEqual(songs.map((song) => song.title))

  await page.getByRole('button', { name: 'Copy to my playlists' }).click()
  await expect(page).not.toHaveURL(new RegExp(`/${original.playlist_id}$`))
  await page.getByRole('button', { name: `Move ${first!.title}`, exact: true }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  const order = [second!, first!, third!]
  const { playlists: own } = await ask(playlists.getPlaylists, {}, token)
  const copy = own.find((playlist) => playlist.title === title)!
  await expect.poll(() => savedSongs(copy.playlist_id, token)).toEqual(idsOf(order))
  expect(await savedSongs(original.playlist_id, token)).toEqual(idsOf(songs))
  await page.reload()
  await expect.poll(shown).toEqual(order.map((song) => song.title))
})
