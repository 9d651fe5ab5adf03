import { downloads, library, ownLibrary } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { makeLibrary, makeOverview } from './testing.ts'

const [original, intro, clean] = ['Original', 'Intro Clean', 'Clean'].map((version_label) =>
  makeVersion({ version_label }),
)
const song = makeSong({ title: 'Afterglow', version: [original!, intro!, clean!] })
const row = page.getByRole('list', { name: 'Versions you don’t have' }).getByRole('listitem').first()

beforeEach(() => {
  signInAs(makeProfile())
  fakeApi.reply(ownLibrary.getLibraries, makeOverview({ libraries: [makeLibrary({ to_review: 0 })] }))
  fakeApi.reply(ownLibrary.getBetterVersions, {
    songs: [
      {
        song,
        owned: [original!.song_version_id],
        missing: [
          { song_version_id: intro!.song_version_id, reason: 'preferred' },
          { song_version_id: clean!.song_version_id, reason: 'lossless' },
        ],
      },
    ],
    counts: { all: 812, preferred: 120, lossless: 31 },
    pagination: singlePage(1),
  })
})

test('is shown first once nothing is left to review, with what the member has and lacks', async () => {
  await openApp('/dj-library')
  await expect.element(row.getByText('You have Original')).toBeVisible()
  await expect.element(row.getByText('Preferred')).toBeVisible()
  await expect.element(row.getByText('Lossless')).toBeVisible()
  expect(row.getByRole('button', { name: 'Download Original, Afterglow' }).elements()).toEqual([])
})

test('downloads a missing version, and adds one to the crate', async () => {
  await openApp('/dj-library')
  await row.getByRole('button', { name: 'Download Intro Clean, Afterglow' }).click()
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadVersion)).toEqual([{ version: intro!.song_version_id }])
  await row.getByRole('button', { name: 'Add Clean, Afterglow to crate' }).click()
  await expect.poll(() => fakeApi.inputsOf(library.crateAddRemove)).toHaveLength(1)
})

test('limits the songs to preferred versions or lossless files', async () => {
  await openApp('/dj-library?tab=better')
  await page.getByRole('button', { name: 'Lossless 31' }).click()
  await expect.poll(currentUrl).toBe('/dj-library?tab=better&show=lossless')
  await expect.poll(() => fakeApi.inputsOf(ownLibrary.getBetterVersions).at(-1)).toEqual({ show: 'lossless', page: 1 })
  await expect.element(page.getByRole('button', { name: 'Lossless 31' })).toHaveAttribute('aria-pressed', 'true')
})

test('says that nothing is missing, and that the list could not be loaded', async () => {
  fakeApi.reply(ownLibrary.getBetterVersions, { songs: [], pagination: singlePage(0) })
  await openApp('/dj-library?tab=better')
  await expect.element(page.getByRole('heading', { name: 'Nothing missing' })).toBeVisible()
})

test('shows that the missing versions could not be loaded', async () => {
  fakeApi.rejectWith(ownLibrary.getBetterVersions, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/dj-library?tab=better')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load the missing versions' })).toBeVisible()
})
