import { merging, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import * as contract from '../../../../contract/src/index.ts'
import { fakeApi } from '../../../test/fakeApi.ts'
import { dialogNamed, press } from '../../../test/locators.ts'
import { render, signInAs } from '../../../test/openApp.tsx'
import { sampleOf } from '../../../test/sampleOf.ts'
import { makeProfile } from '../../../test/samples.ts'
import { SplitDialog } from './SplitDialog.tsx'

type Preview = ReplyOf<typeof merging.getSplit>

const makeVersion = (song_version_id: number, version_label: string, uploaded_name = '', is_listed = true) => ({
  ...{ song_version_id, entity_id: 12, version_label, format: 'mp3', bitrate_kbps: 320, duration_seconds: 200 },
  ...{ uploaded_name, downloads: 0, is_listed },
})

const makePreview = (more: Partial<Preview> = {}): Preview => {
  const preview = sampleOf(contract.merging.getSplit.reply) as Preview
  return {
    ...preview,
    song: { ...preview.song, entity_id: 12, title: 'Low Ceiling', artist: 'Room 14' },
    versions: [
      makeVersion(1, 'Clean'),
      makeVersion(2, 'Dub', 'Ana - Sunset (Dub).mp3'),
      makeVersion(3, 'Old', '', false),
    ],
    state: 'seen',
    ...more,
  }
}

let doneWith: number | undefined

async function openDialog(preview: Preview = makePreview()) {
  doneWith = undefined
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(merging.getSplit, preview)
  const onDone = (entityId: number) => {
    doneWith = entityId
  }
  render(<SplitDialog entityId={12} onDone={onDone} onClose={() => {}} />)
  await expect.element(dialog.getByRole('checkbox').first()).toBeVisible()
}

const dialog = dialogNamed('Split song')
const version = (name: string) => dialog.getByRole('checkbox', { name })
const input = (name: string) => dialog.getByRole('textbox', { name })
const alert = dialog.getByRole('alert')
const split = () => press(dialog, 'Split song')

test('makes versions a song of their own, with the name suggested by the file', async () => {
  fakeApi.reply(merging.splitSong, { entity_id: 40 })
  await openDialog()
  await expect.element(input('Title')).toHaveValue('')
  await version('Dub').click()
  await expect.element(input('Title')).toHaveValue('Sunset')
  await input('Artist').fill('Ana Sol')
  await split()
  await expect.element(page.getByText('Ana Sol – Sunset is now a separate song')).toBeVisible()
  expect(fakeApi.inputsOf(merging.splitSong)).toEqual([
    { entity_id: 12, song_version_ids: [2], title: 'Sunset', artist: 'Ana Sol', state: 'seen' },
  ])
  expect(doneWith).toBe(40)
})

test('needs a version, a title and an artist, and leaves a published version in the song', async () => {
  await openDialog()
  await split()
  await expect.element(alert).toHaveTextContent('Select the versions for the new song.')
  await version('Clean').click()
  await version('Dub').click()
  await expect.element(alert).toHaveTextContent('Leave at least one published version in the original song.')
  await version('Old').click()
  await expect.element(alert).toHaveTextContent('Leave at least one version in the original song.')
  await version('Old').click()
  await version('Clean').click()
  await expect.element(alert).not.toBeInTheDocument()
  await input('Title').fill('')
  await input('Artist').fill(' ')
  await split()
  await expect.element(dialog.getByText('Enter a title.')).toBeVisible()
  await expect.element(dialog.getByText('Enter an artist.')).toBeVisible()
  expect(fakeApi.inputsOf(merging.splitSong)).toEqual([])
})

test('stays open and loads the song again if it has changed since', async () => {
  fakeApi.rejectWith(merging.splitSong, { code: 'conflict', message: 'This song has changed.' })
  await openDialog()
  await version('Dub').click()
  await split()
  await expect.element(alert).toHaveTextContent('This song has changed.')
  await expect.poll(() => fakeApi.inputsOf(merging.getSplit)).toHaveLength(2)
  expect(doneWith).toBeUndefined()
})

test('undoes a merge, unless that is not possible', async () => {
  const merge = { artist: 'Ana', merged_at: '2026-11-20T10:00:00Z', versions: [5], blocked_reason: '' }
  const merges = [
    { ...merge, entity_id: 30, title: 'Papermoons', merged_by: { customer_id: 5, dj_name: 'Front Desk' } },
    { ...merge, entity_id: 31, title: 'Moons', merged_by: null, blocked_reason: 'Its versions were split.' },
  ]
  fakeApi.reply(merging.undoMerge, { entity_id: 30 })
  await openDialog(makePreview({ merges }))
  await expect.element(dialog.getByText(/^#30 · 1 version · merged .* by Front Desk$/)).toBeVisible()
  await expect.element(dialog.getByText('Its versions were split.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Undo merge of Moons' })).toBeDisabled()
  await press(dialog, 'Undo merge of Papermoons')
  await expect.element(page.getByText('Merge undone. Both songs are back.')).toBeVisible()
  expect(fakeApi.inputsOf(merging.undoMerge)).toEqual([{ entity_id: 30 }])
  expect(doneWith).toBe(30)
})
