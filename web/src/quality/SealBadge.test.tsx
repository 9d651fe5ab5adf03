import { catalogue, quality, songDetails, staffSongs } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import * as contract from '../../../contract/src/index.ts'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { sampleOf } from '../../test/sampleOf.ts'
import { makeProfile, makeSong, makeVersion, makeVersionFile } from '../../test/samples.ts'

const version = makeVersion({ version_label: 'Original' })
const { song_version_id } = version
const song = makeSong({ title: 'Afterglow', version: [version] })

const mp3: quality.Seal = {
  ...{ state: 'checked', format: 'mp3', is_lossless: false, bitrate_kbps: 320.2, sample_rate: 44_100, bit_depth: null },
  warnings: [],
}
const reencoded: quality.Seal = {
  ...{ ...mp3, state: 'reencoded' },
  warnings: [{ code: 'upscaled', message: 'No frequencies above 16 kHz.' }],
}
const levels = btoa(String.fromCharCode(...new Uint8Array(96 * 4).fill(20)))
const spectrum: quality.Spectrum = { top_hz: 22_050, duration_seconds: 62, highest_hz: 16_079, levels }

const dialog = dialogNamed('Quality: Original')

/** Opens the quality of the version on the page of its song. */
async function openQuality(seal: quality.Seal, label: string, { isVisitor = false } = {}) {
  if (!isVisitor) signInAs(makeProfile())
  fakeApi.reply(songDetails.getSongDetails, { versions: [makeVersionFile(song_version_id, { seal })], comparisons: [] })
  await openApp(`/song/${song.entity_id}`)
  await press(page, `Quality of Original: ${label}`)
}

beforeEach(() => {
  fakeApi.reply(catalogue.getSong, { song })
  fakeApi.reply(quality.getSpectrum, { spectrum })
})

test('explains what was checked of a file without problems', async () => {
  await openQuality(mp3, 'MP3 320, checked')
  await expect.element(dialog.getByText('This file shows no signs of a source of lower quality')).toBeVisible()
  await expect.element(dialog.getByText('320 kbit/s')).toBeVisible()
  await expect.element(dialog.getByText('44.1 kHz')).toBeVisible()
  await expect.element(dialog.getByText('Bit depth')).not.toBeInTheDocument()
  const checks = dialog.getByRole('listitem')
  expect(checks.elements().map((each) => each.textContent)).toEqual([
    'Re-encoding from a lower quality: No problem found',
    'Clipping: No problem found',
    'Long silences: No problem found',
  ])
})

test('does not claim to have looked for re-encoding where the analysis does not', async () => {
  await openQuality({ ...mp3, format: 'opus', sample_rate: 48_000, bitrate_kbps: 128 }, 'Opus 128, checked')
  await expect.element(dialog.getByText('This file shows no clipping or long silences.')).toBeVisible()
  const checks = dialog.getByRole('listitem')
  expect(checks.elements().map((each) => each.textContent)).toEqual([
    'Clipping: No problem found',
    'Long silences: No problem found',
  ])
})

test('names warnings calmly, with what was found', async () => {
  await openQuality(reencoded, 'May be re-encoded')
  await expect.element(dialog.getByText('May have been re-encoded from a lower quality')).toBeVisible()
  await expect.element(dialog.getByText('No frequencies above 16 kHz.')).toBeVisible()
  await expect.element(dialog.getByText('Upload the original file')).not.toBeInTheDocument()
})

test('draws the spectrum with its cutoff, and says in words how far it reaches', async () => {
  await openQuality(mp3, 'MP3 320, checked')
  const picture = dialog.getByRole('img', {
    name: 'Spectrum of Original over time. Highest frequency with content: 16.1 kHz.',
  })
  await expect.element(picture).toBeVisible()
  await expect.element(picture.getByText('16.1 kHz')).toBeVisible()
  const canvas = picture.element().querySelector('canvas')!
  expect([canvas.width, canvas.height]).toEqual([4, 96])
  expect(canvas.getContext('2d')!.getImageData(0, 0, 1, 1).data[3]).toBe(255)
  expect(fakeApi.inputsOf(quality.getSpectrum)).toEqual([{ song_version_id }])
})

test('has no cutoff when the content reaches the top', async () => {
  fakeApi.reply(quality.getSpectrum, { spectrum: { ...spectrum, highest_hz: 22_050 } })
  await openQuality(mp3, 'MP3 320, checked')
  await expect.element(dialog.getByText('Highest frequency with content: 22.1 kHz.')).toBeVisible()
  await expect.element(dialog.getByText('22.1 kHz', { exact: true })).not.toBeInTheDocument()
})

test('a file that was not analysed has no checks and no spectrum', async () => {
  fakeApi.reply(quality.getSpectrum, { spectrum: null })
  await openQuality({ ...mp3, state: 'not_checked', bitrate_kbps: 0, sample_rate: 0 }, 'Not checked yet')
  await expect.element(dialog.getByText('This file hasn’t been analysed yet.')).toBeVisible()
  await expect.element(dialog.getByText('No spectrum yet')).toBeVisible()
  await expect.element(dialog.getByText('Checked for')).not.toBeInTheDocument()
})

test('a spectrum that can’t be loaded can be requested again', async () => {
  fakeApi.rejectWith(quality.getSpectrum, { code: 'internal_error', message: 'Something went wrong.' })
  await openQuality(mp3, 'MP3 320, checked')
  await expect.element(dialog.getByText('Couldn’t load the spectrum')).toBeVisible()
  fakeApi.reply(quality.getSpectrum, { spectrum })
  await press(dialog, 'Try again')
  await expect.element(dialog.getByRole('img', { name: /^Spectrum of/ })).toBeVisible()
})

test('visitors see the checks, and are asked to sign in for the spectrum', async () => {
  await openQuality(mp3, 'MP3 320, checked', { isVisitor: true })
  await expect.element(dialog.getByText('Sign in to see the spectrum.')).toBeVisible()
  expect(fakeApi.inputsOf(quality.getSpectrum)).toEqual([])
})

test('staff see the quality of each version, and are warned of a Clean that sounds the same as its Dirty', async () => {
  const staffSong = sampleOf(contract.staffSongs.song) as staffSongs.StaffSong
  const staffVersion = sampleOf(contract.staffSongs.song.shape.versions.def.element) as staffSongs.StaffVersion
  const versions = [{ ...staffVersion, song_version_id, version_label: 'Original' }]
  const shown: staffSongs.StaffSong = { ...staffSong, entity_id: 12, versions }
  fakeApi.reply(staffSongs.getSong, { song: shown })
  const comparison = {
    clean: { song_version_id: 1, version_label: 'Clean' },
    dirty: { song_version_id: 2, version_label: 'Dirty' },
  }
  fakeApi.reply(quality.getSongQuality, {
    seals: [{ song_version_id, seal: { ...mp3, state: 'not_checked' } }],
    comparisons: [{ ...comparison, places: [], is_same: true }],
  })
  fakeApi.reply(quality.getStaffSpectrum, { spectrum: null })
  signInAs(makeProfile({ customer_id: 1, staff_role: 'curator' }))
  await openApp('/staff/songs/12')
  await expect
    .element(page.getByText('Clean sounds the same as Dirty. Check that the right file was uploaded.'))
    .toBeVisible()
  await press(page, 'Quality of Original: Not checked yet')
  await expect.element(dialog.getByText('Choose “Re-analyse” in the menu of the song to create it.')).toBeVisible()
  expect(fakeApi.inputsOf(quality.getStaffSpectrum)).toEqual([{ song_version_id }])
})
