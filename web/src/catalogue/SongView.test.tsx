import { catalogue, library, type quality, songDetails } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../test/samples.ts'
import { currentEntry, usePlayer } from '../player/store.ts'

const original = makeVersion({ version_label: 'Original' })
const clean = makeVersion({ version_label: 'Intro Clean' })
const missing = makeVersion({ version_label: 'Acapella', available: false })
const song = makeSong({ title: 'Afterglow', artist: 'Mara Voss', year: 2025, version: [original, clean, missing] })
const versions = page.getByRole('list', { name: 'Versions of Afterglow' })
const seal: quality.Seal = {
  ...{ state: 'checked', format: 'flac', is_lossless: true, bitrate_kbps: 980, sample_rate: 44_100, bit_depth: 16 },
  warnings: [],
}
const notChecked: quality.Seal = { ...seal, state: 'not_checked', format: 'mp3', is_lossless: false }
const details = {
  label: 'Night Shift',
  album: null,
  isrc: 'GBAYE0601498',
  remixer: null,
  versions: [
    {
      ...{ song_version_id: original.song_version_id, wave: '', format: 'flac' as const, bytes: 31_400_000 },
      ...{ seal, conversions: ['mp3' as const, 'aiff' as const] },
    },
    {
      ...{ song_version_id: clean.song_version_id, wave: '', format: 'mp3' as const, bytes: null },
      ...{ seal: notChecked, conversions: [] },
    },
  ],
  comparisons: [],
  appearances: [
    { kind: 'chart' as const, chart_type: 'weekly' as const, rank: 3 },
    { kind: 'spotlight' as const, id: 7, title: 'Peak time tools' },
  ],
}

beforeEach(() => {
  fakeApi.reply(catalogue.getSong, { song })
  fakeApi.reply(songDetails.getSongDetails, details)
})

const openSong = () => openApp(`/song/${song.entity_id}`)

test('shows a row for each version with its format and size, and which one cannot be played', async () => {
  await openSong()
  await expect.poll(() => versions.getByRole('listitem').elements().length).toBe(3)
  await expect.element(versions.getByText('FLAC · 31 MB')).toBeVisible()
  await expect.element(versions.getByText('MP3', { exact: true })).toBeVisible()
  await expect.element(versions.getByText('This version is currently unavailable.')).toBeVisible()
  await expect.element(versions.getByRole('button', { name: 'Preview Acapella, Afterglow' })).not.toBeInTheDocument()
})

test('draws the waveform of each version, and a flat line that seeks before its audio was analysed', async () => {
  const wave = btoa(String.fromCharCode(10, 200, 90, 255))
  fakeApi.reply(songDetails.getSongDetails, {
    ...details,
    versions: [{ song_version_id: clean.song_version_id, wave, format: 'mp3', bytes: 1, seal, conversions: [] }],
  })
  await openSong()
  const barsOf = (label: string) =>
    versions
      .getByRole('listitem')
      .filter({ hasText: label })
      .element()
      .querySelector('[title="Play from here"] path')
      ?.getAttribute('d')
      ?.split('M').length
  await expect.poll(() => barsOf('Intro Clean')).toBe(5)
  expect(barsOf('Original')).toBe(2)
})

test('shows what is known of label, year and ISRC, and leaves out the rest', async () => {
  await openSong()
  const link = page.getByRole('link', { name: 'Night Shift' })
  await expect.element(link).toHaveAttribute('href', '/label/Night%20Shift')
  await expect.element(page.getByText('GBAYE0601498')).toBeVisible()
  await expect.element(page.getByText('Album')).not.toBeInTheDocument()
})

test('links to the charts and lists the song is in', async () => {
  await openSong()
  const lists = page.getByRole('region', { name: 'In these lists' })
  await expect
    .element(lists.getByRole('link', { name: 'No. 3 in the weekly chart' }))
    .toHaveAttribute('href', '/charts?chart=weekly')
  await expect
    .element(lists.getByRole('link', { name: 'Peak time tools' }))
    .toHaveAttribute('href', '/spotlight/view/7')
})

test('shows the quality of each version, also before it was checked', async () => {
  await openSong()
  await expect.element(versions.getByRole('button', { name: 'Quality of Original: Lossless, checked' })).toBeVisible()
  await expect.element(versions.getByRole('button', { name: 'Quality of Intro Clean: Not checked yet' })).toBeVisible()
})

const place = (from: number) => ({ clean_from: from, clean_to: from + 1, dirty_from: from, dirty_to: from + 1 })
const label = ({ song_version_id, version_label }: typeof clean) => ({ song_version_id, version_label })

test('lists the places where a Clean differs from its Dirty, and plays the Clean from shortly before one', async () => {
  const comparison = {
    clean: label(clean),
    dirty: { ...label(original), version_label: 'Intro Dirty' },
    is_same: false,
  }
  const comparisons = [{ ...comparison, places: [place(3.4), place(7)] }]
  fakeApi.reply(songDetails.getSongDetails, { ...details, comparisons })
  await openSong()
  const edits = page.getByRole('region', { name: 'Clean edits' })
  await expect.element(edits.getByText('Intro Clean: 2 places differ from Intro Dirty')).toBeVisible()
  await edits.getByRole('button', { name: 'Play Intro Clean from 0:07' }).click()
  await expect.poll(() => currentEntry(usePlayer.getState())?.version.song_version_id).toBe(clean.song_version_id)
})

test('members see nothing of a Clean without differences', async () => {
  const same = { clean: label(clean), dirty: label(original), is_same: true, places: [] }
  fakeApi.reply(songDetails.getSongDetails, { ...details, comparisons: [same] })
  await openSong()
  await expect.element(page.getByText('GBAYE0601498')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Clean edits' })).not.toBeInTheDocument()
})

test('puts a single version into the crate', async () => {
  signInAs(makeProfile())
  fakeApi.reply(library.crateAddRemove, { in_crate: true, count: 1 })
  await openSong()
  await versions.getByRole('button', { name: 'Add Intro Clean, Afterglow to crate' }).click()
  await expect.element(versions.getByRole('button', { name: 'Remove Intro Clean, Afterglow from crate' })).toBeVisible()
  await expect.element(versions.getByRole('button', { name: 'Add Original, Afterglow to crate' })).toBeVisible()
  expect(fakeApi.inputsOf(library.crateAddRemove)).toMatchObject([
    { songId: song.entity_id, versionId: clean.song_version_id },
  ])
})

test('shows what mixes well below the details, which would move it down', async () => {
  const release = fakeApi.holdReply(songDetails.getSongDetails)
  const mixes = page.getByRole('region', { name: 'Mixes well with' })
  await openSong()
  await expect.element(versions).toBeVisible()
  expect(mixes.query()).toBeNull()
  release()
  await expect.element(mixes).toBeVisible()
  await expect.element(page.getByText('Peak time tools')).toBeVisible()
})

test('the versions stay usable when the details cannot be loaded', async () => {
  fakeApi.rejectWith(songDetails.getSongDetails, { code: 'internal_error', message: 'Something went wrong.' })
  await openSong()
  await expect.element(page.getByText('Couldn’t load label, lists and waveforms')).toBeVisible()
  await expect.element(versions.getByRole('button', { name: 'Preview Original, Afterglow' })).toBeEnabled()
  fakeApi.reply(songDetails.getSongDetails, details)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Night Shift')).toBeVisible()
})
