import { catalogue, playlists } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, playButtonOf, searchBox, songRows } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, pagePlaylists, singlePage } from '../../test/samples.ts'
import { expectPaused, expectPlaying } from '../../test/sound.ts'

const palette = page.getByRole('dialog', { name: 'Commands' })
const field = palette.getByRole('combobox', { name: 'Search commands, songs, artists and genres' })
const options = palette.getByRole('option')

async function openNewReleases() {
  const songs = makeSongs(2)
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(songs.length) })
  await openApp('/newRelease')
  await expect.element(songRows().first()).toBeVisible()
  return songs
}

async function openPalette() {
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field).toHaveFocus()
}

async function runCommand(name: string) {
  await openPalette()
  await userEvent.keyboard(name)
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(palette).not.toBeInTheDocument()
}

test('opens with Ctrl K and goes to a screen', async () => {
  await openNewReleases()
  await runCommand('charts')
  await expect.poll(currentUrl).toBe('/charts')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Daily chart' })).toBeVisible()
})

test('opens from the search box as well', async () => {
  await openNewReleases()
  await searchBox.click()
  await runCommand('spotlights')
  await expect.poll(currentUrl).toBe('/spotlight/index')
})

test('closes with Escape and returns the focus', async () => {
  await openNewReleases()
  const theme = page.getByRole('button', { name: 'Light theme' })
  ;(theme.element() as HTMLElement).focus()
  await openPalette()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(theme).toHaveFocus()
  expect(currentUrl()).toBe('/newRelease')
})

test('pauses and plays', async () => {
  const [song] = await openNewReleases()
  await playButtonOf(song!).click()
  await expectPlaying()
  await runCommand('pause')
  await expectPaused()
  await runCommand('play')
  await expectPlaying()
})

test('finds a song and opens it while the music plays on', async () => {
  const [playing, other] = await openNewReleases()
  const { entity_id, title, artist, image } = other!
  fakeApi.reply(catalogue.suggestSearch, { songs: [{ entity_id, title, artist, image }] })
  fakeApi.reply(catalogue.getSong, { song: other! })
  await playButtonOf(playing!).click()
  await expectPlaying()
  await openPalette()
  await userEvent.keyboard(title)
  await options.filter({ hasText: title }).filter({ hasText: artist }).click()
  await expect.poll(currentUrl).toBe(`/song/${entity_id}`)
  await expectPlaying()
})

test('puts the exact name first, then names that begin with the text, words that do, and the rest', async () => {
  await openNewReleases()
  const { entity_id, title, artist, image } = makeSongs(1)[0]!
  fakeApi.reply(catalogue.suggestSearch, {
    songs: [{ entity_id, title: `The Charter ${title}`, artist, image }],
    genres: [
      { genre_id: 31, name: 'Uncharted', song_count: 2 },
      { genre_id: 32, name: 'Chart', song_count: 5 },
    ],
  })
  await openPalette()
  await userEvent.keyboard('chart')
  await expect
    .poll(() => options.elements().map((each) => each.textContent?.replace(artist, '')))
    .toEqual([
      'ChartGenre · 5 songs',
      `The Charter ${title}`,
      'UnchartedGenre · 2 songs',
      'Search for “chart”',
      'Charts',
    ])
})

test('finds playlists beyond those that are listed at first', async () => {
  const all = Array.from({ length: 500 }, (_, n) => makePlaylist({ title: `Set ${n + 1}`, song_count: 1 }))
  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists(all, input))
  signInAs(makeProfile())
  await openNewReleases()
  await openPalette()
  await expect.element(options.getByText('Set 24', { exact: true })).toBeInTheDocument()
  expect(options.getByText(/^Set /).elements()).toHaveLength(24)
  await userEvent.keyboard('set 500')
  await expect.element(options.first()).toHaveTextContent('Set 500')
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe(`/playlist/${all[499]!.playlist_id}`)
})
