import { catalogue, corrections, type ReplyOf, reanalyses, staff, staffSongs, uploadedSongs } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as contract from '../../../../contract/src/index.ts'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { sampleOf } from '../../../test/sampleOf.ts'
import { makeProfile, makeSong, makeVersion } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

type Data = ReplyOf<typeof staffSongs.getSong>
type Version = staffSongs.StaffVersion

const makeStaffVersion = (song_version_id: number, version_label: string, more: Partial<Version> = {}): Version => ({
  ...{ song_version_id, version_kind_id: 1, version_label, start_seconds: 15, duration_seconds: 63 },
  ...{ status: 'published', unpublished_at: null, format: 'mp3', file: 'stored' },
  ...{ bpm: 124, bpm_to: null, bpm_source: 'analysis', bpm_confidence: 0.9 },
  ...{ song_key: 'Am', key_source: 'analysis', key_confidence: 0.8, measured: null },
  ...more,
})

const makeStaffSong = (more: Partial<staffSongs.StaffSong> = {}): staffSongs.StaffSong => ({
  ...(sampleOf(contract.staffSongs.song) as staffSongs.StaffSong),
  ...{ entity_id: 12, revision: 3, title: 'Low Ceiling', artist: 'Room 14', year: 2026, song_section_id: 1 },
  ...{ min_bpm: 124, max_bpm: 124, song_key: 'Am', status: 'published', image: '/images/cover/320.webp' },
  genres: [{ genre_id: 1, name: 'House', kind: 'genre' }],
  origins: { title: 'tag', bpm: 'analysis' },
  versions: [makeStaffVersion(21, 'Clean'), makeStaffVersion(22, 'Dirty')],
  created_at: '2026-11-20T10:00:00Z',
  ...more,
})

const makeData = (song: Partial<staffSongs.StaffSong> = {}, more: Partial<Data> = {}): Data => ({
  ...{ song: makeStaffSong(song), value_sources: [], uploader: null, edits: [], analysing: {} },
  ...more,
})

const makeSource = (more: Partial<staffSongs.SelectedSong>): staffSongs.SelectedSong => ({
  ...{
    field: 'bpm',
    from: 'analysis',
    where: 'Clean',
    value: '124',
    genre_ids: [],
    confidence: null,
    alternatives: [],
  },
  ...more,
})

type Edit = Data['edits'][number]

const makeEdit = (more: Partial<Edit> = {}): Edit => ({
  ...{ song_edit_id: 40, at: '2026-11-20T10:00:00Z', by: 'Front Desk', kind: 'edited', fields: ['year'], songs: 1 },
  ...{ example: { entity_id: 12, title: 'Low Ceiling', artist: 'Room 14' }, undoes: null, undone: 0 },
  changes: [{ field: 'year', before: '', after: '2026' }],
  ...more,
})

/** What the server has stored. */
let stored: Data

/** Saves edits as the server does; only the album is changed. */
function acceptEdits() {
  fakeApi.reply(corrections.editSong, (sent) => {
    const { album = stored.song.album } = { ...sent.change }
    stored = { ...stored, song: { ...stored.song, revision: stored.song.revision + 1, album } }
    return { song: stored.song, song_edit_id: 41 }
  })
}

const edits = () => fakeApi.inputsOf(corrections.editSong)

async function openSong(data: Data = makeData(), url = '/staff/songs/12') {
  signInAs(makeProfile({ customer_id: 1, staff_role: 'curator' }))
  stored = data
  fakeApi.reply(staffSongs.getSong, () => stored)
  await openApp(url)
  await expect.element(page.getByRole('heading', { level: 1, name: data.song.title })).toBeVisible()
}

const input = (name: string) => page.getByRole('textbox', { name, exact: true })
const openAction = async (name: string) => {
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name }).click()
}

beforeEach(() => {
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(uploadedSongs.getVersions, {
    versions: [
      { version_id: 1, name: 'Clean', new_label: '' },
      { version_id: 2, name: 'Dirty', new_label: '' },
    ],
  })
})

test('shows the song, its status and its uploader', async () => {
  const uploader = { upload_song_id: 30, customer_id: 7, dj_name: 'Rye Lane Audio' }
  await openSong(makeData({ status: 'unpublished', unpublished_at: '2026-11-22T10:00:00Z' }, { uploader }))
  const header = page.getByRole('main').getByRole('banner')
  await expect.element(page.getByText('Unpublished')).toBeVisible()
  await expect.element(page.getByText('since 22 Nov 2026')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Rye Lane Audio' }))
    .toHaveAttribute('href', '/staff/uploads?open=30&state=published')
  await expect.element(header.getByRole('link', { name: 'View as member' })).not.toBeInTheDocument()
  await expect.poll(() => document.title).toMatch(/^Low Ceiling · Songs/)
})

test('saves a field with Enter or when it is left, and restores it with Escape', async () => {
  acceptEdits()
  await openSong()
  await input('Album').fill('Rooftops')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('img', { name: 'Saved' })).toBeVisible()
  await input('Label').fill('Nightboat')
  await input('Title').click()
  await expect.poll(edits).toEqual([
    { entity_id: 12, revision: 3, change: { album: 'Rooftops' } },
    { entity_id: 12, revision: 4, change: { label: 'Nightboat' } },
  ])
  await input('Title').fill('Something else')
  await userEvent.keyboard('{Escape}')
  await expect.element(input('Title')).toHaveValue('Low Ceiling')
  await input('Album').click()
  expect(edits()).toHaveLength(2)
})

test('keeps a refused value with its reason, and sends it again only with Enter', async () => {
  await openSong()
  await input('BPM').fill('12')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Enter a BPM from 20 to 400, or a range such as 98-124.')
  await input('Title').click()
  await expect.element(input('BPM')).toHaveValue('12')
  expect(edits()).toHaveLength(1)
  await input('BPM').click()
  await userEvent.keyboard('{Enter}')
  await expect.poll(edits).toHaveLength(2)
  await userEvent.keyboard('{Escape}')
  await expect.element(input('BPM')).toHaveValue('124')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('keeps the input of an edit that conflicts, and saves it over the other one with Enter', async () => {
  await openSong()
  stored = makeData({ revision: 4, album: 'Theirs' })
  fakeApi.rejectWith(corrections.editSong, { code: 'conflict', message: 'Changed.' })
  await input('Album').fill('Mine')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^Someone else changed this song/)
  await expect.element(input('Album')).toHaveValue('Mine')
  acceptEdits()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => edits().map(({ revision }) => revision)).toEqual([3, 4])
})

test('uses the value of another source, or another tempo', async () => {
  acceptEdits()
  const value_sources = [
    makeSource({ confidence: 0.92, alternatives: ['62', '124'] }),
    makeSource({ field: 'song_key', value: 'Em', where: 'Dirty', confidence: 0.46 }),
    makeSource({ field: 'genres', from: 'tag', value: 'Deep House', genre_ids: [5] }),
  ]
  await openSong(makeData({}, { value_sources }))
  const sourcesOf = (field: string) => page.getByRole('list', { name: `Other sources for ${field}` })
  await expect.element(sourcesOf('BPM')).toHaveTextContent(/^124 Analysis · Clean · 92% confidence\s*In use/)
  await expect.element(sourcesOf('BPM').getByRole('button')).toHaveTextContent('Use 62')
  await sourcesOf('BPM').getByRole('button', { name: 'Use 62' }).click()
  await expect.element(sourcesOf('Key')).toHaveTextContent(/9A Analysis · Dirty/)
  await press(sourcesOf('Key'), 'Use')
  await press(sourcesOf('Genres'), 'Use')
  await expect
    .poll(() => edits().map(({ change, from }) => ({ change, from })))
    .toEqual([
      { change: { bpm: '62' } },
      { change: { song_key: 'Em' }, from: 'analysis' },
      { change: { genres: { how: 'replace', genre_ids: [5] } }, from: 'tag' },
    ])
})

test('chooses the section, and the genres in a dialog', async () => {
  acceptEdits()
  await openSong()
  await page.getByRole('combobox', { name: 'Section' }).selectOptions('Kuts')
  await press(page.getByRole('region', { name: 'Genres' }), 'Edit…')
  await press(dialogNamed('Genres and moods'), 'Save')
  await expect
    .poll(() => edits().map(({ change }) => change))
    .toEqual([{ song_section_id: 2 }, { genres: { how: 'set', genre_ids: [1] } }])
})

test('edits a version, and says what is wrong with its preview start', async () => {
  acceptEdits()
  await openSong()
  await input('Name of Dirty').fill('Explicit')
  await userEvent.keyboard('{Enter}')
  await page.getByRole('combobox', { name: 'Type of Clean' }).selectOptions('Dirty')
  await input('Preview start of Clean').fill('soon')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Enter the start as minutes and seconds, such as 1:05.')).toBeVisible()
  await input('Preview start of Clean').fill('1:05')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => edits().map(({ versions }) => versions))
    .toEqual([
      [{ song_version_id: 22, version_label: 'Explicit' }],
      [{ song_version_id: 21, version_kind_id: 2 }],
      [{ song_version_id: 21, start_seconds: 65 }],
    ])
})

test('moves versions with the keyboard, and shows the old order if the server refuses', async () => {
  await openSong()
  const versions = stored.song.versions.toReversed()
  fakeApi.reply(corrections.editSong, () => {
    stored = makeData({ revision: 4, versions })
    return { song: stored.song, song_edit_id: 41 }
  })
  const list = page.getByRole('list', { name: 'Versions of Low Ceiling' })
  const names = () => list.getByRole('textbox', { name: /^Name of/ }).elements() as HTMLInputElement[]
  const move = async (name: string, key: string) => {
    ;(page.getByRole('button', { name: `Move ${name}` }).element() as HTMLElement).focus()
    await userEvent.keyboard(`{Alt>}{${key}}{/Alt}`)
  }
  await move('Dirty', 'ArrowUp')
  await expect.element(page.getByText('Dirty moved to 1 of 2')).toBeInTheDocument()
  await expect.poll(edits).toEqual([{ entity_id: 12, revision: 3, order: [22, 21] }])
  fakeApi.rejectWith(corrections.editSong, { code: 'unknown_version', message: 'Version not found.' })
  await move('Dirty', 'ArrowDown')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Version not found.')
  await expect.poll(() => names().map(({ value }) => value)).toEqual(['Dirty', 'Clean'])
})

test('shows the tempo and key of each version with source and confidence, sets them, and takes them from the file', async () => {
  const versions = [
    makeStaffVersion(21, 'Clean', {
      ...{ bpm: 128.2, bpm_confidence: 0.91 },
      measured: { bpm: 64.1, bpm_confidence: 0.4, song_key: 'Am', key_confidence: 0.8 },
    }),
    makeStaffVersion(22, 'Dirty', { bpm: 98, bpm_to: 124, bpm_source: 'staff', bpm_confidence: null, song_key: null }),
  ]
  acceptEdits()
  await openSong(makeData({ versions }))
  const rows = page.getByRole('list', { name: 'Tempo and key' }).getByRole('listitem')
  await expect.element(rows.nth(0)).toHaveTextContent(/91% confidence.*Measured: 64.1 \(40%\)/)
  await expect.element(input('BPM of Clean')).toHaveValue('128.2')
  await expect.element(input('BPM of Dirty')).toHaveValue('98-124')
  await expect.element(input('Key of Dirty')).toHaveValue('')
  await input('BPM of Clean').fill('130')
  await userEvent.keyboard('{Enter}')
  await input('Key of Clean').fill('')
  await userEvent.keyboard('{Enter}')
  await press(rows.nth(1), 'Use the value of the file: BPM of Dirty')
  await expect
    .poll(() => edits().map(({ versions }) => versions))
    .toEqual([
      [{ song_version_id: 21, bpm: '130' }],
      [{ song_version_id: 21, song_key: '' }],
      [{ song_version_id: 22, bpm: null }],
    ])
})

test('unpublishes a version with a reason, and publishes it again', async () => {
  const versions = [makeStaffVersion(21, 'Clean'), makeStaffVersion(22, 'Dirty', { status: 'unpublished' })]
  const acceptChange = () => {
    stored = makeData({ revision: 4, versions })
    return { song: stored.song, song_edit_id: 41 }
  }
  fakeApi.reply(corrections.unpublishVersion, acceptChange)
  fakeApi.reply(corrections.restoreVersion, acceptChange)
  await openSong(makeData({ versions }))
  const row = (name: string) => page.getByRole('listitem', { name, exact: true })
  await expect.element(row('Dirty')).toHaveTextContent(/1:03 · MP3 · Unpublished/)
  await expect.element(row('Dirty').getByRole('button', { name: 'Play Dirty' })).toBeDisabled()
  await press(row('Clean'), 'Unpublish…')
  const dialog = dialogNamed('Unpublish “Clean”?')
  await press(dialog, 'Unpublish')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a reason. Your colleagues will see it.')
  await dialog.getByRole('textbox').fill('Clipped')
  await press(dialog, 'Unpublish')
  await expect.element(page.getByText('“Clean” of “Low Ceiling” unpublished')).toBeVisible()
  // A toast covers it.
  ;(row('Dirty').getByRole('button', { name: 'Publish…' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await press(dialogNamed('Publish “Dirty”?'), 'Publish')
  const version = { entity_id: 12, song_version_id: 21, reason: 'Clipped' }
  await expect.poll(() => fakeApi.inputsOf(corrections.unpublishVersion)).toEqual([{ ...version, revision: 3 }])
  await expect
    .poll(() => fakeApi.inputsOf(corrections.restoreVersion))
    .toEqual([{ ...version, song_version_id: 22, revision: 4, reason: '' }])
})

test('unpublishes the song, re-analyses it, and shows how far the analysis is', async () => {
  const analysing = { 21: { state: 'running' as const, progress: 0.4, last_error: '' } }
  fakeApi.reply(reanalyses.analyseSongs, { files: 2, left: [] })
  fakeApi.reply(corrections.unpublishSongs, {
    ...{ song_edit_id: 41, changed: 1, same: 0, left: [] },
    songs: [makeStaffSong({ revision: 4, status: 'unpublished' })],
  })
  await openSong(makeData({}, { analysing }))
  await expect.element(page.getByText('Re-analysing… 40%')).toBeVisible()
  stored = makeData({}, { analysing: { 21: { ...analysing[21], state: 'failed', last_error: 'No sound.' } } })
  await expect.element(page.getByText('No sound.'), { timeout: 5000 }).toBeVisible()
  await openAction('Re-analyse')
  await expect.element(page.getByText('2 files queued for re-analysis')).toBeVisible()
  await openAction('Unpublish…')
  const dialog = dialogNamed('Unpublish “Low Ceiling”?')
  await dialog.getByRole('textbox').fill('A bootleg.')
  await press(dialog, 'Unpublish')
  await expect
    .poll(() => fakeApi.inputsOf(corrections.unpublishSongs))
    .toEqual([{ songs: [{ entity_id: 12, revision: 3 }], reason: 'A bootleg.' }])
})

test('removes the cover', async () => {
  fakeApi.reply(corrections.dropCover, { song: makeStaffSong({ revision: 4 }), song_edit_id: 41 })
  await openSong(makeData({ has_cover: true, origins: { artwork: 'uploader' } }))
  const cover = page.getByRole('region', { name: 'Cover' })
  await expect.element(cover).toHaveTextContent(/Uploaded cover.*uploader/)
  await press(cover, 'Remove picture')
  await expect.poll(() => fakeApi.inputsOf(corrections.dropCover)).toEqual([{ entity_id: 12, revision: 3 }])
})

test('plays a version in the preview player', async () => {
  const version = makeVersion({ song_version_id: 22, version_label: 'Dirty' })
  fakeApi.reply(catalogue.getSong, { song: makeSong({ entity_id: 12, version: [version] }) })
  await openSong()
  await press(page, 'Play Clean')
  await expect.element(page.getByText('No playable file yet.')).toBeVisible()
  await press(page, 'Dismiss')
  await press(page, 'Play Dirty')
  await expect.element(page.getByRole('region', { name: 'Preview player' })).toHaveTextContent('Dirty')
  await press(page, 'Pause Dirty')
  await expect.element(page.getByRole('button', { name: 'Play Dirty' })).toBeVisible()
})

test('lists the history, with what was changed and a button to undo it', async () => {
  const edits = [
    makeEdit({ songs: 3 }),
    makeEdit({ song_edit_id: 39, kind: 'undone', undoes: { song_edit_id: 38, kind: 'cover' } }),
  ]
  const song = makeStaffSong({ revision: 4 })
  fakeApi.reply(corrections.undoEdit, { song_edit_id: 41, changed: 1, same: 0, left: [], songs: [song] })
  await openSong(makeData({}, { edits }))
  const history = page.getByRole('region', { name: 'History' })
  await expect.element(history).toHaveTextContent(/Edited.*Year: empty → 2026.*by Front Desk · with 2 other songs/)
  await expect.element(history).toHaveTextContent(/Undone: cover changed.*Redo/)
  await press(history, 'Undo')
  await expect.element(page.getByText('1 song reverted')).toBeVisible()
  expect(fakeApi.inputsOf(corrections.undoEdit)).toEqual([{ song_edit_id: 40 }])
})

test('undoes and redoes the user’s last edit with Ctrl+Z, except while typing', async () => {
  const { changes: _, ...edit } = makeEdit()
  const undo = { ...edit, song_edit_id: 41, kind: 'undone' as const, undoes: { song_edit_id: 40, kind: edit.kind } }
  const pagination = { page: 1, perPageLimit: 20, totalCount: 1 }
  fakeApi.reply(staffSongs.getEdits, { edits: [edit], pagination })
  fakeApi.reply(corrections.undoEdit, { song_edit_id: 41, changed: 1, same: 0, left: [], songs: [makeStaffSong()] })
  await openSong()
  const undoneIds = () => fakeApi.inputsOf(corrections.undoEdit).map(({ song_edit_id }) => song_edit_id)
  await input('Album').click()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(undoneIds()).toEqual([])
  await page.getByRole('heading', { level: 1 }).click()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(undoneIds).toEqual([40])
  fakeApi.reply(staffSongs.getEdits, { edits: [undo, { ...edit, undone: 1 }], pagination })
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(page.getByText('Nothing to undo')).toBeVisible()
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expect.poll(undoneIds).toEqual([40, 41])
})

test('says that there is no such song, and offers to try again after an error', async () => {
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.rejectWith(staffSongs.getSong, { code: 'unknown_song', message: 'Song not found.' })
  await openApp('/staff/songs/99')
  await expect.element(page.getByRole('heading', { name: 'Song not found' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back to songs' })).toBeVisible()
  fakeApi.rejectWith(staffSongs.getSong, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff/songs/98')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load this song' })).toBeVisible()
  fakeApi.reply(staffSongs.getSong, makeData({ entity_id: 98 }))
  await press(page, 'Try again')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Low Ceiling')
})

test('redirects a merged song to the remaining one', async () => {
  await openSong(makeData(), '/staff/songs/13')
  await expect.poll(currentUrl).toBe('/staff/songs/12')
})
