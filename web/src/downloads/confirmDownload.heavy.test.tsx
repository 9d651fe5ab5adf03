import { catalogue, downloads, ownLibrary } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { ownInLibrary } from '../ownLibrary/testing.ts'

const version = makeVersion({ version_label: 'Intro Clean', download: [1, 2] })
const song = makeSong({ title: 'Afterglow', version: [version] })
const id = version.song_version_id
const dialog = dialogNamed('Download Intro Clean of Afterglow again?')
const sent = () => fakeApi.inputsOf(downloads.downloadVersion)

/** Opens the new releases for a member who has used this many downloads of the version. */
async function openDownloaded(used: number, check: Partial<{ downloaded_at: string; is_last: boolean }> = {}) {
  fakeApi.reply(catalogue.getNewRelease, { songs: [song], pagination: singlePage(1) })
  fakeApi.reply(downloads.customerDownloads, { downloads: used ? { [id]: used } : {}, limit: 2 })
  fakeApi.reply(downloads.checkDownload, {
    ...{ title: 'Afterglow', version_label: 'Intro Clean', downloaded_at: null, is_last: false },
    ...check,
  })
  signInAs(makeProfile())
  await openApp('/newRelease')
}

const startDownload = () => page.getByRole('button', { name: /^Download Intro Clean, Afterglow/ }).click()

test('asks before the last download of a version that was downloaded before', async () => {
  await openDownloaded(1, { downloaded_at: '2026-11-03T12:00:00Z', is_last: true })
  await startDownload()
  const text = 'You downloaded this on 3 Nov 2026. This is your last download of Intro Clean of Afterglow.'
  await expect.element(dialog.getByText(text)).toBeVisible()
  await press(dialog, 'Cancel')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent()).toEqual([])

  await startDownload()
  await press(dialog, 'Download')
  await expect.poll(sent).toEqual([{ version: id }])
})

test('does not ask again on this device once that is chosen', async () => {
  await openDownloaded(1, { downloaded_at: '2026-11-03T12:00:00Z' })
  await startDownload()
  await dialog.getByRole('switch', { name: 'Don’t ask again on this device' }).click()
  await press(dialog, 'Download')
  await expect.poll(() => sent().length).toBe(1)
  await startDownload()
  await expect.poll(() => sent().length).toBe(2)
})

test('does not ask before the first download, nor before a free one', async () => {
  await openDownloaded(0)
  await startDownload()
  await expect.poll(() => sent().length).toBe(1)
  expect(fakeApi.inputsOf(downloads.checkDownload)).toEqual([])
  // The fake reply counts no download, so the version is known as used from then on: the check says it is free.
  await startDownload()
  await expect.poll(() => sent().length).toBe(2)
  expect(fakeApi.inputsOf(downloads.checkDownload)).toEqual([{ version: id }])
})

test('does not ask on the page of past downloads', async () => {
  await openDownloaded(1, { downloaded_at: '2026-11-03T12:00:00Z', is_last: true })
  fakeApi.reply(downloads.downloadRescue, {
    results: [
      {
        ...{ title: 'Afterglow', artist: 'Ada Vale', min_bpm: 124, max_bpm: 124, song_key: 'Am' },
        ...{ version: { version_label: 'Intro Clean', song_version_id: id }, created_at: '2026-11-03T12:00:00Z' },
        ...{ entity_id: song.entity_id, song_section_id: 1, used: 1, limit: 2, listed: true, available: true },
        ...{ can_fetch_free: false, is_corrected: false },
      },
    ],
    pagination: singlePage(1),
  })
  await openApp('/download-rescue')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Download Intro Clean, Afterglow/ })
    .click()
  await expect.poll(() => sent().length).toBe(1)
})

test('asks before all versions of a song when some were downloaded before', async () => {
  await openDownloaded(1)
  const counts = { songs: 1, files: 3, bytes: 1, downloadable: 3, uses: 3, used_up: 0, unavailable: 0, limit: 2 }
  fakeApi.reply(downloads.songSummary, { ...counts, month: null, last: 1, repeated: 1 })
  await page.getByRole('button', { name: 'More options for Afterglow' }).click()
  await page.getByRole('menuitem', { name: 'Download all versions' }).click()
  const bundleDialog = dialogNamed('Download 3 files?')
  await bundleDialog.getByRole('switch', { name: 'Leave out the file already downloaded' }).click()
  await press(bundleDialog, 'Download 2 files')
  await expect
    .poll(() => fakeApi.inputsOf(downloads.downloadSongBundle))
    .toEqual([{ entity_id: song.entity_id, skip_downloaded: true }])
})

test('asks before all versions of a song when some are in the DJ library', async () => {
  await openDownloaded(0)
  const counts = { songs: 1, files: 3, bytes: 1, downloadable: 3, uses: 3, used_up: 0, unavailable: 0, limit: 2 }
  fakeApi.reply(downloads.songSummary, { ...counts, month: null, last: 0, repeated: 0, in_library: 2 })
  await page.getByRole('button', { name: 'More options for Afterglow' }).click()
  await page.getByRole('menuitem', { name: 'Download all versions' }).click()
  const bundleDialog = dialogNamed('Download 3 files?')
  await expect.element(bundleDialog.getByText('2 files are already in your DJ library.')).toBeVisible()
  await bundleDialog.getByRole('switch', { name: 'Leave out the 2 files in your DJ library' }).click()
  await press(bundleDialog, 'Download 1 file')
  await expect
    .poll(() => fakeApi.inputsOf(downloads.downloadSongBundle))
    .toEqual([{ entity_id: song.entity_id, skip_in_library: true }])
})

const firstDialog = dialogNamed('Download Intro Clean of Afterglow?')

test('asks before a download of a version that is in the DJ library', async () => {
  await openDownloaded(0)
  await ownInLibrary([song.entity_id], [id])
  await startDownload()
  await expect.element(firstDialog.getByText('This version is already in your DJ library.')).toBeVisible()
  await press(firstDialog, 'Cancel')
  await expect.element(firstDialog).not.toBeInTheDocument()
  expect(sent()).toEqual([])
  await startDownload()
  await firstDialog.getByRole('switch', { name: 'Don’t ask again on this device' }).click()
  await press(firstDialog, 'Download')
  await expect.poll(() => sent().length).toBe(1)
  await startDownload()
  await expect.poll(() => sent().length).toBe(2)
})

test('waits for the DJ library before a download right after the page has loaded', async () => {
  await openDownloaded(0)
  // Loaded before: otherwise the ids would arrive while it loads.
  await import('./downloadFile.ts')
  const release = fakeApi.holdReply(ownLibrary.getOwned)
  const loading = ownInLibrary([song.entity_id], [id])
  await startDownload()
  expect(sent()).toEqual([])
  release()
  await loading
  await expect.element(firstDialog.getByText('This version is already in your DJ library.')).toBeVisible()
  await press(firstDialog, 'Cancel')
})

test('asks before a download of a song that is in the DJ library in an unknown version', async () => {
  await openDownloaded(0)
  await ownInLibrary([song.entity_id])
  await startDownload()
  await expect.element(firstDialog.getByText(/^You may already have this: /)).toBeVisible()
  await press(firstDialog, 'Download')
  await expect.poll(() => sent().length).toBe(1)
})

test('does not ask before a download of a version that the DJ library lacks', async () => {
  await openDownloaded(0)
  const other = makeVersion({ version_label: 'Dirty' })
  const both = { ...song, version: [version, other] }
  await ownInLibrary([song.entity_id], [other.song_version_id])
  fakeApi.reply(catalogue.getNewRelease, { songs: [both], pagination: singlePage(1) })
  await reopenApp('/newRelease')
  await startDownload()
  await expect.poll(() => sent().length).toBe(1)
  expect(fakeApi.inputsOf(downloads.checkDownload)).toEqual([])
})

test('still warns about the last download when the question about the DJ library is turned off', async () => {
  localStorage.setItem('dubplate.download-owned-without-asking', '1')
  await openDownloaded(1, { is_last: true })
  await ownInLibrary([song.entity_id], [id])
  await startDownload()
  const last = dialogNamed('Use your last download of Intro Clean of Afterglow?')
  await expect
    .element(last.getByText('This is your last download of Intro Clean of Afterglow.', { exact: true }))
    .toBeVisible()
  await press(last, 'Cancel')
})
