import { catalogue, collections, newsletter } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, songList, titlesIn } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeSongs, singlePage } from '../../test/samples.ts'

const main = page.getByRole('main')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

const facts = (title: string, song_count: number): collections.Collection => ({
  title,
  description: '',
  images: [],
  created_by: null,
  song_count,
  duration_seconds: null,
  new_count: null,
  updated_at: null,
})

function fakeArtist(song_count: number) {
  const songs = makeSongs(song_count)
  fakeApi.reply(collections.getArtist, ({ name }) => ({
    collection: facts(name ?? '', song_count),
    top_songs: songs.slice(0, 5).toReversed(),
    artists: [{ name: 'Halo Theory', song_count: 2 }],
    labels: [{ name: 'Kvadrat', song_count: 4 }],
    genres: [{ genre_id: 1, name: 'House' }],
  }))
  fakeApi.reply(collections.getArtistSongs, { songs, pagination: singlePage(song_count) })
}

test('opens from the artist in a row, and lists the most downloaded songs and all songs', async () => {
  const song = makeSong({ artist: 'Ada Vale & Bo/Peep' })
  fakeApi.reply(catalogue.getNewRelease, { songs: [song], pagination: singlePage(1) })
  fakeArtist(7)
  await openApp('/newRelease')
  await main.getByRole('link', { name: song.artist }).click()
  await expect.element(heading(song.artist)).toBeVisible()
  expect(decodeURIComponent(location.pathname)).toBe(`/artist/${song.artist}`)
  await expect
    .poll(() => titlesIn(songList('Most downloaded')))
    .toEqual(['Song 5', 'Song 4', 'Song 3', 'Song 2', 'Song 1'])
  await expect.poll(() => titlesIn(songList(`Songs in ${song.artist}`))).toHaveLength(7)
})

test('leads to joint artists, labels and genres', async () => {
  fakeArtist(3)
  await openApp('/artist/Ada%20Vale')
  const names = main.getByRole('navigation', { name: 'Appears with' })
  await expect.element(names.getByRole('link', { name: 'Halo Theory 2 songs' })).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'House', exact: true }).first()).toBeVisible()
  // All three songs are in the list below.
  expect(songList('Most downloaded').elements()).toEqual([])
  await names.getByRole('link').click()
  await expect.element(heading('Halo Theory')).toBeVisible()
  fakeApi.reply(collections.getLabel, {
    collection: facts('Kvadrat', 4),
    artists: [{ name: 'Ada Vale', song_count: 4 }],
  })
  await main.getByRole('navigation', { name: 'Labels' }).getByRole('link').click()
  await expect.element(heading('Kvadrat')).toBeVisible()
  expect(currentUrl()).toBe('/label/Kvadrat')
  await expect
    .element(main.getByRole('navigation', { name: 'Artists on this label' }).getByRole('link', { name: /^Ada Vale/ }))
    .toBeVisible()
})

test('follows an artist, and unfollows one whose name is written differently', async () => {
  fakeArtist(3)
  fakeApi.reply(newsletter.getMailing, {
    state: 'subscribed',
    followed_names: [{ kind: 'label', name: 'Ada Vale' }],
  })
  fakeApi.reply(newsletter.followName, ({ kind, name, follow }) => ({
    followed_names: follow ? [{ kind, name: name.toUpperCase() }] : [],
  }))
  signInAs(makeProfile())
  await openApp('/artist/Ada%20Vale')
  await main.getByRole('button', { name: 'Follow Ada Vale' }).click()
  await expect
    .element(page.getByText('Following Ada Vale. New songs will be in your weekly digest.'))
    .toBeInTheDocument()
  await main.getByRole('button', { name: 'Following Ada Vale' }).click()
  await expect.element(main.getByRole('button', { name: 'Follow Ada Vale' })).toBeEnabled()
  const target = { kind: 'artist', name: 'Ada Vale' }
  await expect
    .poll(() => fakeApi.inputsOf(newsletter.followName))
    .toEqual([
      { ...target, follow: true },
      { ...target, follow: false },
    ])
})

test('sorts its songs on the server', async () => {
  fakeArtist(3)
  await openApp('/artist/Ada%20Vale')
  await songList('Songs in Ada Vale').getByRole('columnheader', { name: 'BPM' }).getByRole('button').click()
  await expect
    .poll(() => fakeApi.inputsOf(collections.getArtistSongs).at(-1))
    .toEqual({ name: 'Ada Vale', page: 1, order: 'min_bpm', orderDir: 'ASC' })
})

test('offers a search for a name without songs', async () => {
  fakeApi.rejectWith(collections.getLabel, { code: 'unknown_label', message: 'There are no songs on “Nothing”.' })
  fakeApi.rejectWith(collections.getLabelSongs, { code: 'unknown_label', message: 'There are no songs on “Nothing”.' })
  await openApp('/label/Nothing')
  await expect.element(page.getByRole('heading', { name: 'No songs on “Nothing”' })).toBeVisible()
  expect(main.getByRole('button', { name: 'Play all' }).elements()).toEqual([])
  await main.getByRole('link', { name: 'Search for “Nothing”' }).click()
  await expect.poll(() => location.pathname).toBe('/search/result/Nothing')
})
