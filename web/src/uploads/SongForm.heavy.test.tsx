import { beatGrids, catalogue, uploadedSongs } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { makeSlot, makeUpload } from '../../test/staffSamples.ts'

const ENTITY = 7

const form = page.getByRole('form', { name: 'Song' })
const field = (name: string) => form.getByLabelText(name, { exact: true })
const version = (name: string) => form.getByRole('group', { name })

const sources = { title: 'tag', artist: 'tag', year: 'uploader', song_key: 'analysis', bpm: 'analysis' } as const
const makeEntry = (overrides: Partial<uploadedSongs.SongEntry> = {}): uploadedSongs.SongEntry => ({
  ...makeUpload({ entity_id: ENTITY, title: 'Levels', artist: 'Avicii', genres: [3] }),
  ...{ year: 2011, song_key: 'C#m', min_bpm: 126, max_bpm: 126 },
  ...{ sources: { ...sources, genres: 'uploader' }, version: 4 },
  ...overrides,
})

beforeEach(() => {
  signInAs(makeProfile())
  fakeApi.reply(uploadedSongs.getVersions, {
    versions: [
      { version_id: 5, name: 'Clean', new_label: 'Clean' },
      { version_id: 6, name: 'Dirty', new_label: 'Dirty' },
    ],
  })
  fakeApi.reply(catalogue.getGenresWithCount, {
    genres: [{ genre_id: 3, name: 'House', image: '', song_count: 1, subgenre: [] }] as never,
  })
})

async function openSong(entry = makeEntry(), versions = [makeSlot()]) {
  fakeApi.reply(uploadedSongs.getSongEntry, { song: entry })
  fakeApi.reply(uploadedSongs.getSongVersions, { versions })
  await openApp(`/uploads/edit-song/${ENTITY}`)
  await expect.element(field('Song title')).toHaveValue(entry.title)
}

test('names every blank field, and keeps the other errors while one is corrected', async () => {
  await openApp('/uploads/new')
  await press(form, 'Add version')
  const type = form.getByRole('combobox', { name: 'Version' })
  await expect.element(type).toHaveFocus()
  await type.selectOptions('Custom name…')
  await press(form, 'Save')
  for (const message of [
    'Choose a version type or enter a name.',
    'Choose a file for this version.',
    'Song title cannot be blank!',
    'Artist cannot be blank!',
    'Year cannot be blank!',
    'Song Key cannot be blank!',
    'BPM cannot be blank!',
    'Please select genre!',
  ])
    await expect.element(form.getByText(message)).toBeVisible()
  await expect.element(field('Version name')).toHaveFocus()
  await expect.element(form.getByRole('button', { name: /^Select Song/ })).toHaveAccessibleDescription(/Choose a file/)
  await field('Song title').fill('Levels')
  await expect.element(form.getByText('Song title cannot be blank!')).not.toBeInTheDocument()
  await expect.element(form.getByText('Artist cannot be blank!')).toBeVisible()
  await expect.element(form.getByText('Choose a file for this version.')).toBeVisible()
  expect(fakeApi.inputsOf(uploadedSongs.createSong)).toEqual([])
})

test('keeps what was typed over a reload, until the song is saved', async () => {
  await openApp('/uploads/new')
  for (const [name, text] of [
    ['Song title', 'Levels'],
    ['Artist', 'Avicii'],
    ['Year', '2011'],
    ['Song key', 'C#m'],
  ] as const)
    await field(name).fill(text)
  const search = form.getByRole('searchbox', { name: 'Find a genre' })
  await search.fill('hou')
  await userEvent.keyboard('{Enter}')
  await expect.element(search).toHaveValue('')
  await press(form, 'Add version')
  await reopenApp('/uploads/new')
  await expect.element(field('Song title')).toHaveValue('Levels')
  await expect.element(form.getByRole('checkbox', { name: 'House' })).toBeChecked()
  await expect.element(form.getByRole('button', { name: 'Remove House' })).toBeVisible()
  await expect.element(version('Version 1')).toBeVisible()

  await field('BPM').fill('126')
  fakeApi.reply(uploadedSongs.createSong, { entity_id: ENTITY, status: 'draft' })
  await press(form, 'Save')
  await expect.element(page.getByText('Saved as draft. We’ll review it once all versions are valid.')).toBeVisible()
  expect(currentUrl()).toBe('/uploads/index')
  expect(fakeApi.inputsOf(uploadedSongs.createSong)).toMatchObject([
    { songData: { title: 'Levels', artist: 'Avicii', bpm: '126', genres: [3] }, versions: [] },
  ])
  await reopenApp('/uploads/new')
  await expect.element(field('Song title')).toHaveValue('')
  await expect.element(version('Version 1')).not.toBeInTheDocument()
})

test('shows the server’s errors at their fields and versions', async () => {
  await openSong()
  await press(form, 'Add version')
  fakeApi.rejectWith(uploadedSongs.updateSong, {
    code: 'invalid_request',
    message: 'Check your input.',
    fields: {
      'versions.0.start_sec': 'The preview starts after the end of the file.',
      'songData.year': 'Too late.',
    },
  })
  await press(form, 'Save')
  await expect.element(version('Version 1: Clean').getByRole('alert')).toHaveTextContent('The preview starts after')
  await expect.element(field('Year')).toHaveAccessibleDescription(/Too late\./)
  await expect.element(field('Year')).toHaveFocus()
})

test('corrects the beat grid of a file without saving the song', async () => {
  const slot = makeSlot()
  await openSong(makeEntry(), [slot])
  fakeApi.reply(beatGrids.getOwnGrid, {
    grid: {
      ...{ duration_seconds: 180, mp3: '/no-sound.mp3', peaks: '', locked: null, correction: null },
      measured: {
        ...{ bpm: 126, first_downbeat_seconds: 0.5, cues: [], has_tempo_changes: false },
        ...{ beat_confidence: 0.9, downbeat_confidence: 0.9 },
      },
    },
  })
  await press(form, 'Beat grid of Clean')
  const dialog = dialogNamed('Beat grid: Clean')
  await press(dialog, '10 ms later')
  await press(dialog, 'Save')
  await expect.element(page.getByText('Beat grid saved')).toBeVisible()
  expect(fakeApi.inputsOf(beatGrids.correctOwnGrid)).toEqual([
    { upload_id: slot.song, bpm: 126, first_downbeat_seconds: 0.51, cues: [] },
  ])
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(uploadedSongs.updateSong)).toEqual([])
  expect(currentUrl()).toBe(`/uploads/edit-song/${ENTITY}`)
})

test('applies what was typed to the song that someone else saved first', async () => {
  await openSong()
  await field('Song title').fill('Levels (Edit)')
  const message = 'Someone else changed this song.'
  fakeApi.reply(uploadedSongs.updateSong, ({ version }) => {
    if (version === 4) throw errorReply({ code: 'conflict', message })
    return { entity_id: ENTITY, status: 'in_review' as const }
  })
  fakeApi.reply(uploadedSongs.getSongEntry, { song: makeEntry({ artist: 'Tim Berg', version: 5 }) })
  await press(form, 'Save')
  await expect.element(form.getByRole('alert')).toHaveTextContent(message)
  await press(form, 'Load latest and keep my changes')
  await expect.element(form.getByText(message)).not.toBeInTheDocument()
  await expect.element(field('Artist')).toHaveValue('Tim Berg')
  await expect.element(field('Song title')).toHaveValue('Levels (Edit)')
  await press(form, 'Save')
  await expect.element(page.getByText('Submitted for review.')).toBeVisible()
  expect(fakeApi.inputsOf(uploadedSongs.updateSong).at(-1)).toMatchObject({
    version: 5,
    songData: { title: 'Levels (Edit)', artist: 'Tim Berg' },
  })
})

test('removes a saved version at once, after a confirmation, and keeps what was typed', async () => {
  const [clean, dirty] = [makeSlot(), makeSlot({ version_id: 6, name: 'Dirty' })]
  await openSong(makeEntry(), [clean, dirty])
  await field('Song title').fill('Levels (Edit)')
  fakeApi.reply(uploadedSongs.removeSongVersion, { versions: [clean] })
  fakeApi.reply(uploadedSongs.getSongVersions, { versions: [clean] })
  fakeApi.reply(uploadedSongs.getSongEntry, { song: makeEntry({ version: 5 }) })
  await press(form, 'Remove Dirty')
  await press(dialogNamed('Remove this version?'), 'Remove version')
  await expect.element(version('Version 2: Dirty')).not.toBeInTheDocument()
  await expect.element(field('Song title')).toHaveValue('Levels (Edit)')
  const { song_version_id } = dirty
  expect(fakeApi.inputsOf(uploadedSongs.removeSongVersion)).toEqual([{ entity_id: ENTITY, song_version_id }])
  await press(form, 'Save')
  await expect.poll(() => fakeApi.inputsOf(uploadedSongs.updateSong)).toMatchObject([{ version: 5 }])
})
