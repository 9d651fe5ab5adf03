import { merging, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { dialogNamed, press } from '../../../test/locators.ts'
import { render, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { MergeDialog } from './MergeDialog.tsx'

type Preview = ReplyOf<typeof merging.getMerge>
type Version = Preview['versions'][number]

const makeMergeSong = (entity_id: number, title: string): merging.MergeableSong => ({
  ...{ entity_id, title, artist: 'Ana', image: '/images/cover/320.webp', year: 2026, min_bpm: 124, max_bpm: 124 },
  ...{ song_key: 'Am', song_section_id: 1, status: 'published', genres: ['House'], created_at: '2026-11-20T10:00:00Z' },
  ...{ downloads: 0, listens: 0, favourites: 0, sent_by: [] },
})

const makeMergeVersion = (song_version_id: number, version_label: string, more: Partial<Version> = {}): Version => ({
  ...{ song_version_id, entity_id: 1, version_label, format: 'mp3', bitrate_kbps: 320, duration_seconds: 200 },
  ...{ uploaded_name: '', downloads: 0, is_listed: true, proposed_label: version_label },
  ...{ conflicts_with: null, is_same_audio: false },
  ...more,
})

const DUPLICATE = makeMergeVersion(3, 'Clean', { entity_id: 2, conflicts_with: 1, proposed_label: 'Clean (2)' })

const makePreview = (more: Partial<Preview> = {}): Preview => ({
  songs: [makeMergeSong(1, 'Paper Moons'), makeMergeSong(2, 'Papermoons')],
  keep_entity_id: 1,
  versions: [makeMergeVersion(1, 'Clean'), makeMergeVersion(2, 'Dirty'), DUPLICATE],
  follows: {
    ...{ favourites: { rows: 3, doubles: 1 }, playlists: { rows: 0, doubles: 0 }, trending: { rows: 0, doubles: 0 } },
    ...{ crates: 0, downloads: 12, listens: 0, lists: [], uploads: 0 },
  },
  blocked_reason: '',
  state: 'seen',
  ...more,
})

let doneWith: number | undefined
let isClosed: boolean

function openDialog(preview: Preview = makePreview(), entityIds = [1, 2]) {
  ;[doneWith, isClosed] = [undefined, false]
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(merging.getMerge, preview)
  fakeApi.reply(merging.mergeSongs, ({ keep_entity_id }) => ({
    ...{ entity_id: Number(keep_entity_id), title: 'Paper Moons', artist: 'Ana', merged: 1 },
  }))
  const onDone = (entityId: number) => {
    doneWith = entityId
  }
  const onClose = () => {
    isClosed = true
  }
  render(<MergeDialog entityIds={entityIds} onDone={onDone} onClose={onClose} />)
}

const dialog = dialogNamed('Merge 2 songs')
const mergeButton = dialog.getByRole('button', { name: 'Merge', exact: true })
const choice = dialog.getByRole('combobox', { name: 'What to do with the second Clean' })
const name = dialog.getByRole('textbox', { name: 'Name for the second Clean' })
const sent = () => fakeApi.inputsOf(merging.mergeSongs)

test('keeps both versions of a name by default, shows what moves, and undoes the merge from the toast', async () => {
  openDialog()
  await expect.element(dialog.getByText('Unchanged: Clean, Dirty')).toBeVisible()
  await expect.element(dialog.getByText(/^12 downloads move to the remaining song\./)).toBeVisible()
  await expect.element(dialog.getByText('3 favourites (1 already on the remaining song).')).toBeVisible()
  await mergeButton.click()
  await expect.poll(() => [doneWith, isClosed]).toEqual([1, true])
  expect(sent()).toEqual([
    {
      entity_ids: [1, 2],
      keep_entity_id: 1,
      versions: [{ song_version_id: 3, version_label: 'Clean (2)' }],
      state: 'seen',
    },
  ])
  render(null)
  await expect.element(page.getByText('Merged into Ana – Paper Moons')).toBeVisible()
  await press(page, 'Undo')
  await expect.element(page.getByText('Merge undone. Both songs are back.')).toBeVisible()
  expect(fakeApi.inputsOf(merging.undoMerge)).toEqual([{ entity_id: 2 }])
})

test('says at once that a version has no name, or that of another one', async () => {
  openDialog()
  await name.fill('dirty')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Two versions can’t have the same name (“dirty”).')
  await expect.element(mergeButton).toBeDisabled()
  await name.fill(' ')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a name for each version.')
  await name.fill('Clean, other master')
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument()
  await mergeButton.click()
  await expect.poll(() => sent()[0]?.versions).toEqual([{ song_version_id: 3, version_label: 'Clean, other master' }])
})

test('unpublishes one of two versions; by default the copy of the same audio', async () => {
  openDialog(makePreview({ versions: [makeMergeVersion(1, 'Clean'), { ...DUPLICATE, is_same_audio: true }] }))
  await expect.element(dialog.getByText('Identical audio')).toBeVisible()
  await expect.element(choice).toHaveValue('this')
  await expect.element(name).not.toBeInTheDocument()
  await choice.selectOptions('Keep both, rename this one to')
  await expect.element(name).toHaveFocus()
  await choice.selectOptions('Unpublish the other one')
  await mergeButton.click()
  await expect
    .poll(() => sent()[0]?.versions)
    .toEqual([{ song_version_id: 1, version_label: 'Clean', unpublish: true }])
})

test('shows the preview of another remaining song, without the choices made before', async () => {
  openDialog()
  await name.fill('Other')
  await dialog.getByRole('radio', { name: /^Papermoons/ }).click()
  await expect.element(name).toHaveValue('Clean (2)')
  expect(fakeApi.inputsOf(merging.getMerge).at(-1)).toEqual({ entity_ids: [1, 2], keep_entity_id: 2 })
})

test('cannot merge what the server would refuse, or more than 20 songs', async () => {
  openDialog(makePreview({ blocked_reason: 'Both songs are in the Top 20.' }))
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Both songs are in the Top 20.')
  await expect.element(mergeButton).toBeDisabled()
  openDialog(
    makePreview(),
    Array.from({ length: 21 }, (_, n) => n + 1),
  )
  await expect.element(page.getByText('You can merge up to 20 songs at once. Select fewer songs.')).toBeVisible()
})

test('stays open and loads the preview again if the songs have changed since', async () => {
  openDialog()
  fakeApi.rejectWith(merging.mergeSongs, { code: 'conflict', message: 'These songs have changed.' })
  await mergeButton.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('These songs have changed.')
  await expect.poll(() => fakeApi.inputsOf(merging.getMerge)).toHaveLength(2)
  expect(isClosed).toBe(false)
})

test('offers to load the preview again after an error', async () => {
  openDialog()
  fakeApi.rejectWith(merging.getMerge, { code: 'unknown_song', message: 'Song not found.' })
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Song not found.')
  await expect.element(mergeButton).toBeDisabled()
  fakeApi.reply(merging.getMerge, makePreview())
  await press(dialog, 'Try again')
  await expect.element(name).toBeVisible()
})
