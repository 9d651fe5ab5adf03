import { type catalogue, collections, downloads, type InputOf, library, spotlights } from '@dubplate/contract'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, makeVersion, singlePage } from '../../test/samples.ts'
import { usePlayer } from '../player/store.ts'
import { lengthText } from './CollectionHeader.tsx'

const action = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const PAGE = collections.COLLECTION_PAGE_SIZE

/** Opens a spotlight with this many songs; its screen shows the first 24. */
async function openSpotlight(count: number, facts: Partial<collections.Collection> = {}): Promise<catalogue.Song[]> {
  const songs = makeSongs(count)
  fakeApi.reply(spotlights.getSpotlightSongs, {
    title: 'Peak time',
    songs: songs.slice(0, 24),
    pagination: singlePage(count),
  })
  fakeApi.reply(collections.getCollection, {
    collection: {
      title: 'Peak time',
      description: '',
      images: [],
      created_by: 'Mara Voss',
      song_count: count,
      duration_seconds: 7440,
      new_count: null,
      updated_at: '2026-11-20T10:00:00Z',
      ...facts,
    },
  })
  fakeApi.reply(collections.getCollectionSongs, ({ page = 1 }) => ({
    songs: songs.slice((Number(page) - 1) * PAGE, Number(page) * PAGE),
    pagination: { page: Number(page), perPageLimit: PAGE, totalCount: count },
  }))
  await openApp('/spotlight/view/7')
  await expect.element(action('Play all')).toBeEnabled()
  return songs
}

const queued = () => usePlayer.getState().list.map(({ song }) => song.title)
const pagesLoaded = () => fakeApi.inputsOf(collections.getCollectionSongs).map(({ page }) => page)
const crateChange = () => fakeApi.inputsOf(library.crateChange) as InputOf<typeof library.crateChange>[]

beforeEach(() => signInAs(makeProfile()))

test('shows curator, number of songs, length and date', async () => {
  await openSpotlight(32)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Peak time' })).toBeVisible()
  await expect.element(page.getByText('Curated by Mara Voss · 32 songs · 2 h 4 min · Updated 20 Nov')).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^Peak time ·/)
})

test.each([
  [29, '1 min'],
  [2280, '38 min'],
  [7200, '2 h'],
  [7440, '2 h 4 min'],
])('%i seconds are %s', (seconds, text) => expect(lengthText(seconds)).toBe(text))

test('disables its actions while it loads and for an empty collection, but not Share', async () => {
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Empty', songs: [], pagination: singlePage(0) })
  const release = fakeApi.holdReply(collections.getCollection)
  await openApp('/spotlight/view/7')
  await expect.element(action('Play all')).toBeDisabled()
  release()
  await expect.element(page.getByText('0 songs')).toBeVisible()
  for (const name of ['Play all', 'Add all to crate', 'Shuffle', 'Download all'])
    await expect.element(action(name)).toBeDisabled()
  await expect.element(action('Share')).toBeEnabled()
})

test('shows the error once, without actions, if the collection does not exist', async () => {
  const error = { code: 'unknown_list', message: 'This list doesn’t exist or has been unpublished.' } as const
  fakeApi.rejectWith(spotlights.getSpotlightSongs, error)
  fakeApi.rejectWith(collections.getCollection, error)
  await openApp('/spotlight/view/7')
  await expect.element(page.getByText(error.message)).toBeVisible()
  expect(action('Play all').elements()).toEqual([])
})

test('plays the whole collection, not only the page on screen', async () => {
  const songs = await openSpotlight(230)
  await action('Play all').click()
  await expect.poll(queued).toEqual(songs.map(({ title }) => title))
  expect(pagesLoaded()).toEqual([1, 2, 3])
})

test('plays and shuffles at most the first 500 songs', async () => {
  const songs = await openSpotlight(620)
  await action('Shuffle').click()
  await expect.poll(() => queued().length).toBe(500)
  const first500 = songs.slice(0, 500).map(({ title }) => title)
  expect(queued().toSorted()).toEqual(first500.toSorted())
  expect(queued()).not.toEqual(first500)
})

test('adds up to ten songs to the crate at once', async () => {
  const songs = await openSpotlight(10)
  await action('Add all to crate').click()
  await expect.poll(crateChange).toHaveLength(1)
  expect(crateChange()[0]).toMatchObject({ action: 'add', song_ids: songs.map(({ entity_id }) => entity_id) })
})

test('asks before it adds more than ten songs', async () => {
  await openSpotlight(32)
  await action('Add all to crate').click()
  const dialog = dialogNamed('Add 32 songs to your crate?')
  await press(dialog, 'Cancel')
  expect(crateChange()).toEqual([])
  await action('Add all to crate').click()
  await press(dialog, 'Add all to crate')
  await expect.poll(crateChange).toHaveLength(1)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('adds the newest 500 songs of a longer collection', async () => {
  const songs = await openSpotlight(620)
  await action('Add all to crate').click()
  await press(dialogNamed('Add the newest 500 songs to your crate?'), 'Add all to crate')
  await expect.poll(crateChange).toHaveLength(1)
  expect(crateChange()[0]?.song_ids).toEqual(songs.slice(0, 500).map(({ entity_id }) => entity_id))
})

test('downloads the preferred version of each song as one zip, after a confirmation', async () => {
  const songs = await openSpotlight(12)
  // The first version of this song cannot be downloaded now.
  const [first] = songs
  if (first) first.version = [makeVersion({ available: false }), makeVersion()]
  await action('Download all').click()
  const dialog = dialogNamed('Download 12 files?')
  expect(fakeApi.inputsOf(downloads.downloadCollectionBundle)).toEqual([])
  await press(dialog, 'Download all')
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle)).toHaveLength(1)
  expect(fakeApi.inputsOf(downloads.downloadCollectionBundle)[0]).toEqual({
    title: 'Peak time',
    versions: songs.map(({ version }) => version.find(({ available }) => available)?.song_version_id),
  })
})

test('sends members without a plan to the plans', async () => {
  fakeApi.rejectWith(downloads.downloadCollectionBundle, {
    code: 'subscription_required',
    message: 'Downloads need a paid plan.',
  })
  await openSpotlight(3)
  await action('Download all').click()
  await expect.poll(() => location.pathname).toBe('/subscription/plans')
})

test('says so when the songs cannot be loaded', async () => {
  await openSpotlight(3)
  fakeApi.rejectWith(collections.getCollectionSongs, { code: 'internal_error', message: 'Something went wrong.' })
  await action('Play all').click()
  await expect.element(page.getByText('Couldn’t load “Peak time”')).toBeVisible()
  await expect.element(action('Play all')).toBeEnabled()
})

test('shares with the sheet of the device, and copies the link where there is none', async () => {
  const share = vi.fn(async (_data: ShareData) => undefined)
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'share')
    vi.restoreAllMocks()
  })
  await openSpotlight(3)
  const url = `${location.origin}/spotlight/view/7`
  await action('Share').click()
  await expect.poll(() => share.mock.calls).toEqual([[{ title: 'Peak time', url }]])
  share.mockRejectedValueOnce(new DOMException('closed', 'AbortError'))
  await action('Share').click()
  await expect.poll(() => share.mock.calls).toHaveLength(2)
  expect(writeText).not.toHaveBeenCalled()
  Object.defineProperty(navigator, 'share', { configurable: true, value: undefined })
  await action('Share').click()
  await expect.element(page.getByText('Link copied.')).toBeVisible()
  expect(writeText).toHaveBeenCalledWith(url)
})
