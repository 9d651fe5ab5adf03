import { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong } from '../../test/samples.ts'
import { openNewReleases, rowOf, rows } from '../player/testing.ts'
import { titlesOf } from './selectionTestHelpers.ts'

const mix = {
  key: 'same',
  tempo: 'same',
  tempo_change_percent: 0,
  shared_genres: 1,
  shared_crates: 0,
} as const

/** Sets the reply of the fake API for each song id. */
const fakeMixes = (mixes: Record<number, catalogue.Song[]>) =>
  fakeApi.reply(catalogue.getSimilarSongs, ({ entity_id }) => ({
    songs: (mixes[Number(entity_id)] ?? []).map((song) => ({ ...song, mix })),
  }))

/** The titles in a list of songs; each item has one link. */
const linked = (within: Locator) => () =>
  within
    .getByRole('listitem')
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent)

const playSong = (song: catalogue.Song) =>
  rowOf(song)
    .getByRole('button', { name: `Play ${song.title} by ${song.artist}`, exact: true })
    .click()

test('opens the songs that mix with a row from its menu, best first', async () => {
  const song = makeSong({ title: 'Daylight' })
  fakeApi.reply(catalogue.getSong, { song })
  fakeMixes({ [song.entity_id]: [makeSong({ title: 'Best' }), makeSong({ title: 'Second' })] })
  await openNewReleases([song])
  await rowOf(song).getByRole('button', { name: 'More options for Daylight' }).click()
  await page.getByRole('menuitem', { name: 'Find compatible songs' }).click()
  await expect.poll(() => location.pathname + location.hash).toBe(`/song/${song.entity_id}#mixes`)
  const section = page.getByRole('main').getByRole('region', { name: 'Mixes well with', exact: true })
  await expect.element(section).toBeInViewport()
  await expect.poll(linked(section)).toEqual(['Best', 'Second'])
})

test('shows what mixes with the playing song in the right column', async () => {
  const [one, other] = [makeSong({ title: 'One' }), makeSong({ title: 'Other' })]
  fakeMixes({
    [one.entity_id]: [makeSong({ title: 'After one' })],
    [other.entity_id]: [makeSong({ title: 'After other' })],
  })
  signInAs(makeProfile())
  await openNewReleases([one, other])
  const block = page.getByRole('complementary', { name: 'More to explore' })
  for (const [song, expected] of [
    [one, 'After one'],
    [other, 'After other'],
  ] as const) {
    await playSong(song)
    const mixes = block.getByRole('region', { name: `Mixes well with ${song.title}`, exact: true })
    await expect.poll(linked(mixes)).toEqual([expected])
  }
})

test('marks only songs that fit the playing one in key and tempo, with the pitch change', async () => {
  const titled = (title: string, song_key: string | null, bpm: number | null) =>
    makeSong({ title, song_key, min_bpm: bpm, max_bpm: bpm })
  const songs = [
    titled('Am at 124', 'Am', 124),
    titled('Em at 130', 'Em', 130),
    titled('C at 62', 'C', 62),
    titled('F# at 124', 'F#', 124),
    titled('Dm at 140', 'Dm', 140),
    titled('No key at 120', null, 120),
    titled('Em without a tempo', 'Em', null),
  ]
  await openNewReleases(songs)
  const fitting = () => titlesOf(rows.filter({ hasText: 'fits what’s playing' }).elements())
  const filled = () => titlesOf(rows.elements().filter((row) => row.querySelector('[data-mixes]')))
  expect(fitting()).toEqual([])
  await playSong(songs[0]!)
  await expect.poll(fitting).toEqual(['Em at 130', 'C at 62'])
  expect(filled()).toEqual(fitting())
  await expect.element(rowOf(songs[1]!).getByText('−4.6 %')).toBeVisible()
  await expect.element(rowOf(songs[2]!).getByText('0 %')).toBeVisible()
})
