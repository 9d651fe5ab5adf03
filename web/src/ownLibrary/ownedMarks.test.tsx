import { catalogue, collections, ownLibrary, playlists, spotlights } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, rowOf } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { clearSession } from '../platform/session.ts'
import { hasDjLibrary, useOwned } from './owned.ts'
import { ownInLibrary } from './testing.ts'

const [clean, dirty] = ['Clean', 'Dirty'].map((version_label) => makeVersion({ version_label }))
const owned = makeSong({ title: 'Afterglow', version: [clean!, dirty!] })
const other = makeSong({ title: 'Beacon' })
const songs = [owned, other]
const mark = { name: 'In your DJ library' }
const pill = page.getByRole('button', { name: 'Not in my DJ library' })
const lastFilter = () => fakeApi.inputsOf(catalogue.getNewRelease).at(-1)?.filter

beforeEach(() => {
  signInAs(makeProfile())
  fakeApi.reply(catalogue.getNewRelease, { songs, pagination: singlePage(2) })
})

test('marks the songs and versions that are in the DJ library', async () => {
  await ownInLibrary([owned.entity_id], [clean!.song_version_id])
  await openApp('/newRelease')
  // The song, and the chip of its version.
  await expect.poll(() => rowOf(owned).getByRole('img', mark).elements()).toHaveLength(2)
  expect(rowOf(other).getByRole('img', mark).elements()).toEqual([])
})

test('marks a song of which the version is not known', async () => {
  await ownInLibrary([owned.entity_id])
  await openApp('/newRelease')
  await expect.poll(() => rowOf(owned).getByRole('img', mark).elements()).toHaveLength(1)
})

test('marks songs on a phone too', async () => {
  await page.viewport(390, 844)
  await ownInLibrary([owned.entity_id], [clean!.song_version_id])
  await openApp('/newRelease')
  await expect.element(rowOf(owned).getByRole('img', mark)).toBeVisible()
  await page.viewport(1440, 900)
})

test('offers to leave out owned songs to members with a DJ library', async () => {
  await openApp('/newRelease')
  await expect.element(rowOf(owned)).toBeVisible()
  await expect.element(pill).not.toBeInTheDocument()
  await ownInLibrary([owned.entity_id])
  await pill.click()
  await expect.poll(currentUrl).toBe('/newRelease?notOwned=1')
  await expect.poll(lastFilter).toEqual({ not_owned: true })
  await expect.element(pill).toHaveAttribute('aria-pressed', 'true')
})

test('can turn the filter of a link off without a DJ library', async () => {
  await openApp('/newRelease?notOwned=1')
  await pill.click()
  await expect.poll(currentUrl).toBe('/newRelease')
})

test('applies the filter to a search', async () => {
  fakeApi.reply(catalogue.searchSongs, { pagination: { ...singlePage(0), more: false } })
  await openApp('/search/result/afterglow?notOwned=1')
  await expect
    .poll(() => fakeApi.inputsOf(catalogue.searchSongs).find(({ searchTerm }) => searchTerm === 'afterglow')?.filter)
    .toEqual({ not_owned: true })
})

const spotlight = {
  ...{ title: 'Peak time', description: '', images: [], created_by: 'Mara Voss', song_count: 40 },
  ...{ duration_seconds: 7440, new_count: null, updated_at: null },
}

test('counts the owned songs of a list', async () => {
  await ownInLibrary([owned.entity_id])
  fakeApi.reply(collections.getCollection, { collection: spotlight })
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Peak time', songs, pagination: singlePage(40) })
  fakeApi.reply(ownLibrary.countOwned, { owned: 12 })
  await openApp('/spotlight/view/7')
  const facts = 'Curated by Mara Voss · 40 songs · 2 h 4 min · You own 12 of 40'
  await expect.element(page.getByText(facts, { exact: true })).toBeVisible()
  expect(fakeApi.inputsOf(ownLibrary.countOwned)).toMatchObject([{ collection: { type: 'spotlight', id: 7 } }])
})

test('counts the owned songs of a playlist', async () => {
  await ownInLibrary([owned.entity_id])
  const playlist = makePlaylist({ playlist_id: 9, title: 'Friday', song_count: 2, duration_seconds: 60 })
  fakeApi.reply(playlists.viewPlaylist, { playlist, songs, pagination: singlePage(2) })
  fakeApi.reply(ownLibrary.countOwned, { owned: 1 })
  await openApp('/playlist/9')
  await expect.element(page.getByText(/You own 1 of 2/)).toBeVisible()
  expect(fakeApi.inputsOf(ownLibrary.countOwned)).toEqual([{ playlist_id: 9 }])
})

test('counts the owned songs of charts, artists and labels', async () => {
  await ownInLibrary([owned.entity_id])
  fakeApi.reply(collections.getCollection, { collection: spotlight })
  for (const call of [collections.getArtist, collections.getLabel]) fakeApi.reply(call, { collection: spotlight })
  fakeApi.reply(ownLibrary.countOwned, { owned: 3 })
  for (const url of ['/charts', '/artist/Ada%20Vale', '/label/Night%20Shift']) {
    await openApp(url)
    await expect.element(page.getByText(/You own 3 of 40/)).toBeVisible()
  }
  expect(fakeApi.inputsOf(ownLibrary.countOwned)).toMatchObject([
    { collection: { type: 'chart', chart_type: 'daily' } },
    { collection: { type: 'artist', name: 'Ada Vale' } },
    { collection: { type: 'label', name: 'Night Shift' } },
  ])
})

test('counts nothing for members without a DJ library', async () => {
  fakeApi.reply(collections.getCollection, { collection: spotlight })
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Peak time', songs, pagination: singlePage(40) })
  await openApp('/spotlight/view/7')
  await expect.element(page.getByText(/40 songs/).first()).toBeVisible()
  expect(fakeApi.inputsOf(ownLibrary.countOwned)).toEqual([])
})

test('does not request the ids again if nothing has changed, and forgets them on sign-out', async () => {
  await ownInLibrary([owned.entity_id])
  fakeApi.reply(ownLibrary.getOwned, { revision: 'r1', owned: null })
  const { loadOwned } = await import('./owned.ts')
  await loadOwned()
  expect(fakeApi.inputsOf(ownLibrary.getOwned).at(-1)).toEqual({ revision: 'r1' })
  expect(useOwned.getState().songs.has(owned.entity_id)).toBe(true)
  clearSession()
  expect(hasDjLibrary(useOwned.getState())).toBe(false)
})
