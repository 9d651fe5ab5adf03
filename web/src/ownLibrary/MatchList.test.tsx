import { catalogue, ownLibrary } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import { makeLibrary, makeMatch, makeOverview } from './testing.ts'

const clean = makeVersion({ version_label: 'Clean', duration_seconds: 371 })
const dirty = makeVersion({ version_label: 'Dirty', duration_seconds: 375 })
const afterglow = makeSong({ title: 'Afterglow', artist: 'Ada Vale', version: [clean, dirty] })
const live = makeSong({ title: 'Afterglow (Live)', artist: 'Ada Vale' })
const beacon = makeSong({ title: 'Beacon', artist: 'Mara Voss' })
const songs = [afterglow, live, beacon]

const twoSongs = makeMatch([afterglow, live], { entry_id: 1, title: 'Afterglow', version: 'Radio Edit' })
const oneSong = makeMatch([beacon], { entry_id: 2, title: 'Becon', artist: 'Mara Voss', file_name: 'becon.mp3' })

const files = page.getByRole('list', { name: /^Files/ })
const fileOf = (title: string) => files.getByRole('listitem').filter({ hasText: title }).first()
const decisions = () => fakeApi.inputsOf(ownLibrary.decideMatches).flatMap(({ decisions }) => decisions)

/** The pool’s reply to a search. */
const findSongs = (found: catalogue.Song[]) =>
  fakeApi.reply(catalogue.searchSongs, {
    songs: found.map((song) => ({ ...song, found: { words: 'exact' as const, tempo: 'same' as const } })),
    pagination: { ...singlePage(found.length), more: false },
  })

/** The server stores each decision, as the real one does. */
function storeDecisions(matches: ownLibrary.EntryMatch[], overview = makeOverview()) {
  fakeApi.reply(ownLibrary.decideMatches, ({ decisions }) => ({
    matches: decisions.map(({ entry_id, action, entity_id, song_version_id }) => {
      const match = matches.find((each) => each.entry_id === entry_id)!
      if (action === 'undo') return match
      if (action === 'reject') return { ...match, state: 'not_found', decision: 'rejected' }
      const found = { entity_id: Number(entity_id), song_version_id: Number(song_version_id) || null }
      return { ...match, state: 'matched', decision: 'confirmed', ...found }
    }),
    songs,
    overview,
  }))
}

async function open(
  state: ownLibrary.MatchState,
  matches: ownLibrary.EntryMatch[],
  { overview = makeOverview(), url = '' }: { overview?: ownLibrary.LibraryOverview; url?: string } = {},
) {
  fakeApi.reply(ownLibrary.getLibraries, overview)
  fakeApi.reply(ownLibrary.getMatches, { matches, songs, pagination: singlePage(matches.length) })
  storeDecisions(matches)
  await openApp(`/dj-library?tab=${state}${url}`)
}

beforeEach(() => signInAs(makeProfile()))

test('shows what the file says next to the songs that it may be', async () => {
  await open('review', [twoSongs])
  const row = fileOf('Afterglow')
  await expect.element(row.getByText('Ada Vale · Radio Edit')).toBeVisible()
  await expect.element(row.getByText('6:12 · Music/House/Ada Vale - Afterglow.mp3')).toBeVisible()
  await expect
    .element(row.getByRole('link', { name: 'Afterglow (Live)' }))
    .toHaveAttribute('href', `/song/${live.entity_id}`)
  await expect.element(row.getByText('72% match')).toBeVisible()
  await press(row, 'Play Afterglow by Ada Vale')
  await expect.poll(() => currentEntry(usePlayer.getState())?.song.title).toBe('Afterglow')
})

test('confirms a song in the chosen version, and undoes it', async () => {
  await open('review', [twoSongs, oneSong])
  const row = fileOf('Afterglow')
  await row.getByLabelText('Version of Afterglow', { exact: true }).selectOptions('Dirty')
  await expect.element(row.getByText('6:15 · 72% match')).toBeVisible()
  await press(row, 'Confirm: Afterglow')
  await expect.element(row.getByText('Dirty · Confirmed by you')).toBeVisible()
  const { entity_id } = afterglow
  expect(decisions()).toEqual([{ entry_id: 1, action: 'confirm', entity_id, song_version_id: dirty.song_version_id }])
  await press(row, 'Undo: Afterglow')
  await expect.element(row.getByRole('button', { name: 'None of these: Afterglow' })).toBeVisible()
  expect(decisions().at(-1)).toEqual({ entry_id: 1, action: 'undo' })
})

test('suggests the version that was found, and confirms a song without one', async () => {
  const known = { entity_id: beacon.entity_id, song_version_id: beacon.version[0]!.song_version_id, confidence: 0.8 }
  await open('review', [
    { ...oneSong, candidates: [known] },
    { ...twoSongs, candidates: [twoSongs.candidates[0]!] },
  ])
  await expect.element(fileOf('Becon').getByLabelText('Version of Beacon')).toHaveValue(String(known.song_version_id))
  await press(fileOf('Afterglow'), 'Confirm: Afterglow')
  await expect.element(fileOf('Afterglow').getByText('Version unknown · Confirmed by you')).toBeVisible()
  expect(decisions()).toEqual([{ entry_id: 1, action: 'confirm', entity_id: afterglow.entity_id }])
})

test('rejects the songs of a file', async () => {
  await open('review', [twoSongs, oneSong])
  await press(fileOf('Afterglow'), 'None of these: Afterglow')
  await expect.element(fileOf('Afterglow').getByText('Rejected by you')).toBeVisible()
  await press(fileOf('Becon'), 'Not this song: Becon')
  await expect.poll(decisions).toEqual([
    { entry_id: 1, action: 'reject' },
    { entry_id: 2, action: 'reject' },
  ])
})

test('reviews with the keyboard: Y confirms, N rejects, Z undoes, J moves to the next file', async () => {
  await open('review', [twoSongs, oneSong])
  await expect.element(fileOf('Becon')).toBeVisible()
  await userEvent.keyboard('n')
  await expect.element(fileOf('Afterglow').getByText('Rejected by you')).toBeVisible()
  await userEvent.keyboard('y')
  await expect.element(fileOf('Becon').getByText('Version unknown · Confirmed by you')).toBeVisible()
  await userEvent.keyboard('zz')
  await expect.element(fileOf('Afterglow').getByRole('button', { name: 'None of these: Afterglow' })).toBeVisible()
  expect(decisions().map(({ entry_id, action }) => `${action} ${entry_id}`)).toEqual([
    ...['reject 1', 'confirm 2', 'undo 2', 'undo 1'],
  ])
  await userEvent.keyboard('jjj')
  await expect.element(fileOf('Becon').getByRole('button', { name: 'Play Beacon by Mara Voss' })).toHaveFocus()
})

test('leaves keys to the search field', async () => {
  await open('review', [twoSongs])
  await page.getByRole('searchbox', { name: 'Title, artist or file name' }).click()
  await userEvent.keyboard('nyz')
  await expect.poll(currentUrl).toBe('/dj-library?tab=review&find=nyz')
  expect(decisions()).toEqual([])
})

test('confirms the first song of every file of the page at once, then shows the next files', async () => {
  await open('review', [twoSongs, oneSong])
  await press(page, 'Confirm all 2 on this page')
  await expect.element(page.getByText('All files on this page are reviewed.')).toBeVisible()
  expect(fakeApi.inputsOf(ownLibrary.decideMatches)).toHaveLength(1)
  const next = makeMatch([live], { entry_id: 9, title: 'Cinder' })
  fakeApi.reply(ownLibrary.getMatches, { matches: [next], songs, pagination: singlePage(1) })
  await press(page, 'Show the next files')
  await expect.element(fileOf('Cinder')).toBeVisible()
})

test('takes a decision back that could not be saved, and says why', async () => {
  await open('review', [oneSong])
  fakeApi.rejectWith(ownLibrary.decideMatches, {
    code: 'unknown_match',
    message: 'This file is no longer in your library.',
  })
  await press(fileOf('Becon'), 'Confirm: Beacon')
  await expect.element(page.getByText('Couldn’t save your decision')).toBeVisible()
  await expect.element(page.getByText('This file is no longer in your library.')).toBeVisible()
  await expect.element(fileOf('Becon').getByRole('button', { name: 'Confirm: Beacon' })).toBeVisible()
})

test('updates the figures of the libraries with each decision', async () => {
  await open('review', [oneSong])
  storeDecisions([oneSong], makeOverview({ libraries: [makeLibrary({ matched: 1061, to_review: 9 })] }))
  await press(fileOf('Becon'), 'Confirm: Beacon')
  await expect.element(page.getByText('1,061 in the pool')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Review 9 files' })).toBeVisible()
})

test('shows which song a file is, why, and lets the member correct it', async () => {
  const found = { entity_id: beacon.entity_id, song_version_id: beacon.version[0]!.song_version_id }
  const matched = makeMatch([], { ...found, state: 'matched', reason: 'isrc', title: 'Beacon' })
  await open('matched', [matched])
  await expect.element(fileOf('Beacon').getByText('Clean · Same ISRC')).toBeVisible()
  await press(fileOf('Beacon'), 'Not this song: Beacon')
  await expect.element(fileOf('Beacon').getByText('Rejected by you')).toBeVisible()
  await press(fileOf('Beacon'), 'Undo: Beacon')
  await expect.element(fileOf('Beacon').getByText('Clean · Same ISRC')).toBeVisible()
})

test('says that a song was unpublished', async () => {
  const gone: catalogue.Song = makeSong()
  await open('matched', [makeMatch([], { state: 'matched', entity_id: gone.entity_id })])
  await expect.element(files.getByText('This song is no longer available.')).toBeVisible()
})

test('searches the pool for a file that was not found, confirms the song in a version, and undoes it', async () => {
  await open('not_found', [makeMatch([], { state: 'not_found' })])
  const opal = makeSong({ title: 'Opal', artist: 'Ada Vale', version: [clean, dirty] })
  findSongs([opal])
  const release = fakeApi.holdReply(ownLibrary.decideMatches)
  await press(files, 'Choose song: Afterglow')
  const search = files.getByLabelText('Song for “Afterglow”')
  await expect.element(search.getByRole('searchbox')).toHaveFocus()
  await expect.element(search.getByRole('searchbox')).toHaveValue('Ada Vale Afterglow')
  await search.getByLabelText('Version of Opal').selectOptions('Dirty')
  await press(search, 'Confirm: Opal')
  // Before the server has replied.
  await expect.element(files.getByRole('link', { name: 'Opal' })).toBeVisible()
  await expect.element(files.getByText('Dirty · Confirmed by you')).toBeVisible()
  release()
  const { entity_id } = opal
  const { song_version_id } = dirty
  await expect.poll(decisions).toEqual([{ entry_id: 1, action: 'confirm', entity_id, song_version_id }])
  await press(files, 'Undo: Afterglow')
  await expect.element(files.getByText('Not in the pool')).toBeVisible()
})

test('searches by file name without tags, says what to do when nothing is found, and closes with Escape', async () => {
  await open('not_found', [makeMatch([], { state: 'not_found', title: '', artist: '', file_name: '01 - cinder.mp3' })])
  findSongs([])
  await press(files, 'Choose song: 01 - cinder.mp3')
  const search = files.getByLabelText('Song for “01 - cinder.mp3”')
  await expect.element(search.getByText('No songs found. Try fewer words.')).toBeVisible()
  expect(fakeApi.inputsOf(catalogue.searchSongs)).toEqual([{ searchTerm: '01 - cinder' }])
  await userEvent.keyboard('{Escape}')
  await expect.element(search).not.toBeInTheDocument()
})

test('lets a member choose another song than those found', async () => {
  await open('review', [oneSong])
  findSongs([live])
  await press(files, 'Choose song: Becon')
  await press(files.getByLabelText('Song for “Becon”'), 'Confirm: Afterglow (Live)')
  await expect.poll(decisions).toMatchObject([{ entry_id: 2, action: 'confirm', entity_id: live.entity_id }])
})

test('limits the files to one library and to words', async () => {
  const libraries = [makeLibrary(), makeLibrary({ library_id: 5, name: 'Old laptop' })]
  await open('matched', [oneSong], { overview: makeOverview({ libraries }), url: '&find=bea' })
  await page.getByRole('combobox', { name: 'Library' }).selectOptions('Old laptop')
  await expect
    .poll(() => fakeApi.inputsOf(ownLibrary.getMatches).at(-1))
    .toEqual({ library_id: 5, state: 'matched', search: 'bea', page: 1 })
})

test.each([
  ['review', 'Nothing to review'],
  ['matched', 'No files in the pool yet'],
  ['not_found', 'Every file is in the pool'],
] as const)('explains an empty list of %s', async (state, title) => {
  await open(state, [])
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
})

test('says that no file matches a search', async () => {
  await open('review', [], { url: '&find=nothing' })
  await expect.element(page.getByRole('heading', { name: 'No files match' })).toBeVisible()
  await press(page, 'Show all files')
  await expect.poll(currentUrl).toBe('/dj-library?tab=review')
})

test('shows that the files could not be loaded', async () => {
  fakeApi.reply(ownLibrary.getLibraries, makeOverview())
  fakeApi.rejectWith(ownLibrary.getMatches, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/dj-library?tab=review')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load your files' })).toBeVisible()
})
