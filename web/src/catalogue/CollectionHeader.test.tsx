import {
  catalogue,
  charts,
  collections,
  downloads,
  type InputOf,
  library,
  playlists,
  spotlights,
} from '@dubplate/contract'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makePlaylist, makeProfile, makeSongs, makeVersion, singlePage } from '../../test/samples.ts'
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

const fakeSummary = (overrides: Partial<downloads.DownloadSummary>) =>
  fakeApi.reply(downloads.collectionSummary, { has_bundle: true, limit: 2, month: null, ...overrides })

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

const FACTS: collections.Collection = {
  ...{ title: '', description: '', images: [], created_by: null, song_count: 20, duration_seconds: 2280 },
  ...{ new_count: null, updated_at: '2026-11-20T10:00:00Z' },
}
const withFacts = (facts: Partial<collections.Collection>) => {
  fakeApi.reply(collections.getCollection, { collection: { ...FACTS, ...facts } })
  return { songs: makeSongs(20), pagination: singlePage(20) }
}
const creditedPage = (title: string) => ({ collection: { ...FACTS, title }, genres: [{ genre_id: 1, name: 'House' }] })

type HeaderCase = {
  kind: string
  url: string
  title: string
  description?: string
  facts: string
  hasFollow?: true
  fake: () => unknown
}

const HEADERS: HeaderCase[] = [
  {
    kind: 'Spotlight',
    url: '/spotlight/view/7',
    title: 'Peak time',
    description: 'Big drums and clean intros.',
    facts: 'Curated by Mara Voss · 20 songs · 38 min · Updated 20 Nov',
    fake: () => {
      const songs = withFacts({ description: 'Big drums and clean intros.', created_by: 'Mara Voss' })
      fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Peak time', ...songs })
    },
  },
  {
    kind: 'Genre',
    url: '/genres/view/31',
    title: 'House',
    description: 'Four to the floor.',
    facts: '20 songs · 3 new this week',
    hasFollow: true,
    fake: () => {
      const facts = { duration_seconds: null, new_count: 3, updated_at: null }
      const songs = withFacts({ ...facts, description: 'Four to the floor.' })
      fakeApi.reply(catalogue.genreSongs, { genre: { genre_id: 31, name: 'House' }, ...songs })
    },
  },
  {
    kind: 'Monthly top 20',
    url: '/top20/songs/5',
    title: 'November 2026',
    description: 'Our picks of November.',
    facts: '20 songs · 38 min · Updated 20 Nov',
    fake: () => {
      const { songs, ...rest } = withFacts({ description: 'Our picks of November.' })
      const ranked = songs.map((song, n) => ({ ...song, rank: n + 1, downloads: 1 }))
      fakeApi.reply(charts.getTop20Songs, { title: 'November 2026', songs: ranked, ...rest })
    },
  },
  ...(
    [
      ['daily', 'Daily', 'Most downloaded in the last 24 hours. Updated every minute.'],
      ['weekly', 'Weekly', 'Most downloaded in the last 7 days. Updated every 10 minutes.'],
      ['monthly', 'Monthly', 'Most downloaded in the last 30 days. Updated every hour.'],
    ] as const
  ).map(([chart, name, description]) => ({
    ...{ kind: 'Charts', url: `/charts?chart=${chart}`, title: `${name} chart`, description },
    facts: '20 songs · 38 min',
    fake: () => withFacts({ updated_at: null }),
  })),
  {
    kind: 'Public',
    url: '/playlist/9',
    title: 'Friday night',
    description: 'Slow and deep.',
    facts: '20 songs · 38 min · Updated 20 Nov',
    fake: () => {
      const totals = { song_count: 20, duration_seconds: 2280 }
      const playlist = makePlaylist({ ...totals, title: 'Friday night', description: 'Slow and deep.', public: true })
      fakeApi.reply(playlists.viewPlaylist, { playlist, songs: makeSongs(20), pagination: singlePage(20) })
    },
  },
  {
    kind: 'Label',
    url: '/label/Parkwood',
    title: 'Parkwood',
    facts: '20 songs · 38 min · Updated 20 Nov',
    hasFollow: true,
    fake: () => fakeApi.reply(collections.getLabel, creditedPage('Parkwood')),
  },
  {
    kind: 'Artist',
    url: '/artist/Mara%20Voss',
    title: 'Mara Voss',
    facts: '20 songs · 38 min · Updated 20 Nov',
    hasFollow: true,
    fake: () => fakeApi.reply(collections.getArtist, creditedPage('Mara Voss')),
  },
]

test.each(HEADERS)('the header of a $kind ($title) shows its title, description, facts and actions', async (one) => {
  one.fake()
  await openApp(one.url)
  await expect.element(page.getByRole('heading', { level: 1, name: one.title, exact: true })).toBeVisible()
  await expect.element(page.getByRole('main').getByText(one.facts, { exact: true })).toBeVisible()
  await expect.element(page.getByRole('main').getByText(one.kind, { exact: true }).first()).toBeVisible()
  if (one.description)
    await expect.element(page.getByRole('main').getByText(one.description, { exact: true })).toBeVisible()
  else expect(document.querySelector('main header [data-description]')).toBeNull()
  for (const name of ['Play all', 'Add all to crate', 'Shuffle', 'Download all'])
    await expect.element(action(name)).toBeEnabled()
  await expect.element(action('Share')).toBeEnabled()
  if (one.hasFollow) await expect.element(action(`Follow ${one.title}`)).toBeEnabled()
})

test('shows two lines of a long description on a phone, and the rest after “More”', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  const description = 'Big drums and clean intros for the busiest hour of the night. '.repeat(4).trim()
  await openSpotlight(3, { description })
  const paragraph = page.getByRole('main').getByText(description, { exact: true })
  const height = () => paragraph.element().getBoundingClientRect().height
  const lineHeight = Number.parseFloat(getComputedStyle(paragraph.element()).lineHeight)
  await expect.poll(height).toBeCloseTo(2 * lineHeight, 0)
  await action('More').click()
  expect(height()).toBeGreaterThan(3 * lineHeight)
  await expect.element(action('Less')).toHaveAttribute('aria-expanded', 'true')
  await action('Less').click()
  expect(height()).toBeCloseTo(2 * lineHeight, 0)
})

test.each([
  ['no description', ''],
  ['one line', 'Big drums and clean intros.'],
  ['two lines', 'Big drums and clean intros for the busiest hour of the night, from the first record to the last.'],
])('keeps its height when its facts arrive: %s', async (_, description) => {
  const release = fakeApi.holdReply(collections.getCollection)
  const opening = openSpotlight(3, { description })
  await expect.element(page.getByRole('heading', { name: 'Peak time' })).toBeVisible()
  const header = page.getByRole('main').element().querySelector('header')
  const heightWhileLoading = header?.offsetHeight
  release()
  await opening
  expect(header?.offsetHeight).toBe(heightWhileLoading)
})

test('does not cut a short description on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openSpotlight(3, { description: 'Big drums and clean intros.' })
  await expect.element(page.getByText('Big drums and clean intros.')).toBeVisible()
  expect(action('More').elements()).toEqual([])
})

test('a line of the description has at most 62 characters', async () => {
  const description = 'Big drums and clean intros for the busiest hour of the night. '.repeat(4).trim()
  await openSpotlight(3, { description })
  const text = page.getByText(description, { exact: true }).element().firstChild as Text
  const range = document.createRange()
  const lines = new Map<number, number>()
  for (let n = 0; n < text.length; n++) {
    range.setStart(text, n)
    range.setEnd(text, n + 1)
    const top = Math.round(range.getBoundingClientRect().top)
    lines.set(top, (lines.get(top) ?? 0) + 1)
  }
  expect(lines.size).toBeGreaterThan(3)
  // The space at the end of a line is not seen.
  expect(Math.max(...lines.values()) - 1).toBeLessThanOrEqual(62)
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
  fakeSummary({ uses: 12, downloadable: 12, month: { left: 184, limit: 200 } })
  const [first] = songs
  if (first) first.version = [makeVersion({ available: false }), makeVersion()]
  await action('Download all').click()
  const dialog = dialogNamed('Download 12 files?')
  const text = 'Your preferred version of each song. This uses 12 downloads. You have 184 left this month.'
  await expect.element(dialog.getByText(text)).toBeVisible()
  expect(fakeApi.inputsOf(downloads.downloadCollectionBundle)).toEqual([])
  await press(dialog, 'Download 12 files')
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle)).toHaveLength(1)
  expect(fakeApi.inputsOf(downloads.downloadCollectionBundle)[0]).toEqual({
    title: 'Peak time',
    versions: songs.map(({ version }) => version.find(({ available }) => available)?.song_version_id),
  })
})

test('downloads up to ten new files without a question', async () => {
  await openSpotlight(3)
  fakeSummary({ uses: 3, downloadable: 3 })
  await action('Download all').click()
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle)).toHaveLength(1)
})

test('asks before it downloads files again or uses up their last download, and can leave them out', async () => {
  const songs = await openSpotlight(3)
  fakeSummary({ uses: 3, downloadable: 3, repeated: 2, last: 1 })
  await action('Download all').click()
  const dialog = dialogNamed('Download 3 files?')
  await expect.element(dialog.getByText('You’ve already downloaded 2 files.')).toBeVisible()
  await expect.element(dialog.getByText('This uses your last download of 1 file.')).toBeVisible()
  await dialog.getByRole('switch', { name: 'Leave out the 2 files already downloaded' }).click()
  await press(dialog, 'Download 1 file')
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle)).toHaveLength(1)
  expect(fakeApi.inputsOf(downloads.collectionSummary)).toEqual([
    { versions: songs.map(({ version }) => version[0]?.song_version_id) },
  ])
  expect(fakeApi.inputsOf(downloads.downloadCollectionBundle)[0]).toMatchObject({ skip_downloaded: true })
})

test('asks before it downloads files that are in the DJ library, and can leave them out', async () => {
  const songs = await openSpotlight(3)
  const ids = songs.map(({ version }) => version[0]!.song_version_id)
  fakeSummary({ uses: 3, downloadable: 3, in_library: 1 })
  await action('Download all').click()
  const dialog = dialogNamed('Download 3 files?')
  await expect.element(dialog.getByText(/1 file is already in your DJ library\./)).toBeVisible()
  await dialog.getByRole('switch', { name: 'Leave out the file in your DJ library' }).click()
  await press(dialog, 'Download 2 files')
  await expect
    .poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle))
    .toEqual([{ title: 'Peak time', versions: ids, skip_in_library: true }])
})

test('asks nothing if the plan has no zip of a list', async () => {
  fakeApi.rejectWith(downloads.downloadCollectionBundle, {
    code: 'plan_feature_required',
    message: 'Your plan doesn’t include zips of your crate and of lists.',
  })
  await openSpotlight(12)
  fakeSummary({ uses: 12, downloadable: 12, has_bundle: false })
  await action('Download all').click()
  await expect.element(page.getByText('Your plan doesn’t include zips of your crate and of lists.')).toBeVisible()
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
