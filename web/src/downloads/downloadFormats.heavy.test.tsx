import { catalogue, downloads, songDetails } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, makeVersionFile } from '../../test/samples.ts'

const clean = makeVersion({ version_label: 'Intro Clean', download: [1, 2] })
const lossy = makeVersion({ version_label: 'Dirty' })
const song = makeSong({ title: 'Afterglow', version: [clean, lossy] })
const id = clean.song_version_id

const inputs = () => fakeApi.inputsOf(downloads.downloadVersion)
const formatButton = page.getByRole('button', { name: 'Choose the format of Intro Clean, Afterglow' })
const pending = { ready: 0, files: 1, progress: 0.4, failed: [], is_ready: false }

beforeEach(() => {
  fakeApi.reply(catalogue.getSong, { song })
  fakeApi.reply(songDetails.getSongDetails, {
    versions: [
      makeVersionFile(id, { format: 'wav', bytes: 40e6, conversions: ['mp3', 'aiff'] }),
      makeVersionFile(lossy.song_version_id),
    ],
  })
  fakeApi.reply(downloads.downloadVersion, { url: 'data:,', file_name: 'Afterglow.mp3', used: 1 })
  signInAs(makeProfile())
})

const openSong = () => openApp(`/song/${song.entity_id}`)

test('offers the formats of a lossless version, and downloads the original without preparing it', async () => {
  await openSong()
  await formatButton.click()
  const items = page.getByRole('menuitem')
  await expect
    .poll(() => items.elements().map(({ textContent }) => textContent))
    .toEqual(['WAV (original)', 'MP3 320', 'AIFF'])
  await expect
    .element(page.getByRole('button', { name: 'Choose the format of Dirty, Afterglow' }))
    .not.toBeInTheDocument()
  await items.getByText('WAV (original)').click()
  await expect.poll(inputs).toEqual([{ version: id }])
  expect(fakeApi.inputsOf(downloads.prepareDownload)).toEqual([])
})

test('shows the progress of a conversion, and starts the download by itself', async () => {
  fakeApi.reply(downloads.prepareDownload, pending)
  await openSong()
  await formatButton.click()
  await page.getByRole('menuitem', { name: 'MP3 320' }).click()
  await expect.element(page.getByText('Preparing MP3 320…')).toBeVisible()
  await expect.element(page.getByText('40%. The download starts by itself.')).toBeVisible()
  await expect.element(formatButton).toBeDisabled()
  expect(inputs()).toEqual([])
  fakeApi.reply(downloads.prepareDownload, { ...pending, ready: 1, progress: 1, is_ready: true })
  await expect.poll(inputs).toEqual([{ version: id, format: 'mp3' }])
  await expect.element(page.getByText('Preparing MP3 320…')).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(downloads.prepareDownload)[0]).toEqual({ format: 'mp3', versions: [id] })
})

test('downloads nothing when the preparation is cancelled', async () => {
  fakeApi.reply(downloads.prepareDownload, pending)
  await openSong()
  await formatButton.click()
  await page.getByRole('menuitem', { name: 'AIFF' }).click()
  await press(page, 'Cancel')
  await expect.element(formatButton).toBeEnabled()
  expect(inputs()).toEqual([])
})

test('says why a version cannot be converted', async () => {
  fakeApi.reply(downloads.prepareDownload, {
    ...{ ...pending, is_ready: true },
    failed: [{ song_version_id: id, title: 'Afterglow (Intro Clean)' }],
  })
  const message = 'It couldn’t be converted. Download the original file.'
  fakeApi.rejectWith(downloads.downloadVersion, { code: 'conversion_failed', message })
  await openSong()
  await formatButton.click()
  await page.getByRole('menuitem', { name: 'AIFF' }).click()
  await expect.element(page.getByText(message)).toBeVisible()
})
