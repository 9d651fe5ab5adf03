import { collections, downloadProfiles, downloads, type ReplyOf } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { dialogNamed, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile, makeSong } from '../../../test/samples.ts'
import { fakeCrate } from '../../library/fakeCrate.ts'
import { newProfile } from '../newProfile.ts'

const dialog = dialogNamed('Download for DJ software')
const PROFILE = { ...newProfile('Macintosh'), profile_id: 7, name: 'Laptop', is_default: true }
const USB = { ...PROFILE, profile_id: 8, name: 'USB', software: 'traktor', is_default: false } as const

const SUMMARY: ReplyOf<typeof downloads.kitSummary> = {
  ...{ songs: 3, files: 3, bytes: 30_000_000, downloadable: 3, uses: 3, last: 0, repeated: 0 },
  ...{ in_library: 0, used_up: 0 },
  ...{ unavailable: 0, too_early: 0, conversions: [], has_bundle: true, limit: 2, month: null, owned: 1 },
}
const BUNDLE = {
  zip: 'kit.zip',
  file_name: 'kit.zip',
  url: 'data:,',
  bytes: 1,
  files: 3,
  skipped: [],
  part: 1,
  parts: 1,
}
const kits = () => fakeApi.inputsOf(downloads.downloadBoothKit)

beforeEach(() => {
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [PROFILE, USB] })
  fakeApi.reply(downloads.kitSummary, SUMMARY)
  fakeApi.reply(downloads.downloadBoothKit, { ...BUNDLE, continue_from: null })
  signInAs(makeProfile())
})

const makeDownload = (): downloads.DownloadedVersion => ({
  ...{ title: 'Night Bus', artist: 'Nova', min_bpm: 124, max_bpm: 124, song_key: 'Am', entity_id: 1 },
  ...{ version: { version_label: 'Clean', song_version_id: 5 }, created_at: '2026-11-20T10:00:00Z' },
  ...{ song_section_id: 1, used: 1, limit: 2, listed: true, available: true },
  ...{ can_fetch_free: false, is_corrected: false },
})

async function openFromCrate() {
  const songs = [makeSong()]
  fakeCrate(songs, songs)
  await openApp('/crate')
  await press(page, 'Download for DJ software')
  await expect.element(dialog).toBeVisible()
}

test('downloads the crate for the program of the default profile, and says what it uses', async () => {
  await openFromCrate()
  await expect.element(dialog.getByLabelText('DJ software')).toHaveValue('rekordbox')
  await expect.element(dialog.getByLabelText('Download profile')).toHaveValue('7')
  await expect.element(dialog.getByText('3 files, 30 MB')).toBeVisible()
  await expect.element(dialog.getByText('This uses 3 downloads.')).toBeVisible()
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toEqual([{ software: 'rekordbox', source: { crate: true }, profile_id: 7, with_audio: true }])
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Download started')).toBeVisible()
})

test('another profile brings its program, and the program can be another one', async () => {
  await openFromCrate()
  await dialog.getByLabelText('Download profile').selectOptions('USB')
  await expect.element(dialog.getByLabelText('DJ software')).toHaveValue('traktor')
  await dialog.getByLabelText('DJ software').selectOptions('Mixxx')
  await press(dialog, 'Download for Mixxx')
  await expect.poll(kits).toMatchObject([{ software: 'mixxx', profile_id: 8 }])
})

test('the library file alone uses no downloads, and is not offered before anything was downloaded', async () => {
  await openFromCrate()
  await dialog.getByRole('radio', { name: 'Library file only' }).click()
  await expect.element(dialog.getByText('This uses 3 downloads.')).not.toBeInTheDocument()
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toMatchObject([{ with_audio: false }])
  await expect.element(page.getByText('The library file of 3 files.')).toBeVisible()

  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, owned: 0 })
  await press(page, 'Download for DJ software')
  await dialog.getByRole('radio', { name: 'Library file only' }).click()
  await expect.element(dialog.getByText('You haven’t downloaded any of these files yet.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Download for rekordbox' })).toBeDisabled()
})

test('can leave out what was downloaded before', async () => {
  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, repeated: 1 })
  await openFromCrate()
  await dialog.getByRole('switch', { name: 'Leave out the file already downloaded' }).click()
  await expect.element(dialog.getByText('This uses 2 downloads.')).toBeVisible()
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toMatchObject([{ skip_downloaded: true }])
})

test('says how many files are left out', async () => {
  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, files: 5, downloadable: 3 })
  await openFromCrate()
  await expect.element(dialog.getByText('2 files can’t be downloaded now and are left out.')).toBeVisible()
})

test('says that a plan has no kits', async () => {
  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, has_bundle: false })
  await openFromCrate()
  await expect.element(dialog.getByText('Your plan doesn’t include downloading several songs at once.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Download for rekordbox' })).toBeDisabled()
})

test('prepares the files for a profile with another format before it requests the kit', async () => {
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [{ ...PROFILE, format: 'aiff' }] })
  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, conversions: ['aiff'] })
  const pending = { ready: 1, files: 3, progress: 0.5, failed: [], is_ready: false }
  fakeApi.reply(downloads.prepareDownload, pending)
  await openFromCrate()
  await press(dialog, 'Download for rekordbox')
  await expect.element(page.getByText('1 of 3 files. The download starts by itself.')).toBeVisible()
  expect(kits()).toEqual([])
  fakeApi.reply(downloads.prepareDownload, { ...pending, ready: 3, progress: 1, is_ready: true })
  await expect.poll(kits).toHaveLength(1)
  expect(fakeApi.inputsOf(downloads.prepareDownload)[0]).toEqual({
    format: 'aiff',
    kit: { source: { crate: true }, profile_id: 7 },
  })
})

test('a member without a profile enters the music folder first, and keeps it after an error', async () => {
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [] })
  await openFromCrate()
  const folder = dialog.getByLabelText('Music folder')
  await dialog.getByLabelText('System').selectOptions('Linux')
  await expect.element(folder).toHaveValue('/home/you/Music')
  await folder.fill('Music')
  await press(dialog, 'Continue')
  await expect.element(dialog.getByText('Enter a folder that begins with /, such as /home/you/Music.')).toBeVisible()
  await expect.element(folder).toHaveValue('Music')
  await folder.fill('/home/nova/Music')
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [PROFILE] })
  await press(dialog, 'Continue')
  await expect.element(dialog.getByRole('button', { name: 'Download for rekordbox' })).toBeVisible()
  expect(fakeApi.inputsOf(downloadProfiles.saveProfile)).toMatchObject([
    { name: 'My computer', system: 'linux', music_folder: '/home/nova/Music' },
  ])
})

test('shows why profiles could not be loaded, and tries again', async () => {
  fakeApi.rejectWith(downloadProfiles.getProfiles, { code: 'internal_error', message: 'Something went wrong.' })
  await openFromCrate()
  await expect.element(dialog.getByText('Couldn’t load your download profiles')).toBeVisible()
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [PROFILE] })
  await press(dialog, 'Try again')
  await expect.element(dialog.getByRole('button', { name: 'Download for rekordbox' })).toBeVisible()
})

test('names a chart by its type', async () => {
  const collection = { title: 'Daily chart', description: '', images: [], created_by: null, song_count: 2 }
  const unknown = { duration_seconds: null, new_count: null, updated_at: null }
  fakeApi.reply(collections.getCollection, { collection: { ...collection, ...unknown } })
  await openApp('/charts')
  await press(page, 'Download for DJ software')
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toMatchObject([{ source: { chart_type: 'daily' } }])
})

test('the download history suggests the library file of what its filters match', async () => {
  const pagination = { page: 1, perPageLimit: 24, totalCount: 1 }
  fakeApi.reply(downloads.downloadRescue, { results: [makeDownload()], pagination })
  await openApp('/download-rescue?find=nova')
  await press(page, 'Library file for DJ software')
  await expect.element(dialog.getByRole('radio', { name: 'Library file only' })).toBeChecked()
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toMatchObject([{ source: { history: { search: 'nova' } }, with_audio: false }])
})

test('leaves out the files that are in the DJ library', async () => {
  fakeApi.reply(downloads.kitSummary, { ...SUMMARY, in_library: 2, repeated: 1 })
  await openFromCrate()
  await dialog.getByRole('switch', { name: 'Leave out the 2 files in your DJ library' }).click()
  await expect.element(dialog.getByText('This uses 1 download.')).toBeVisible()
  await dialog.getByRole('switch', { name: 'Leave out the file already downloaded' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Download for rekordbox' })).toBeDisabled()
  await dialog.getByRole('switch', { name: 'Leave out the file already downloaded' }).click()
  await press(dialog, 'Download for rekordbox')
  await expect.poll(kits).toMatchObject([{ source: { crate: true }, skip_in_library: true }])
})
