import { beatGrids, type ReplyOf, staffSongs } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as contract from '../../../contract/src/index.ts'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { sampleOf } from '../../test/sampleOf.ts'
import { makeProfile } from '../../test/samples.ts'

type Grid = beatGrids.EditableGrid

const MEASURED = { bpm: 124.02, first_downbeat_seconds: 0.5, cues: [{ kind: 'drop' as const, at_seconds: 30.5 }] }

const makeGrid = (more: Partial<Grid> = {}): Grid => ({
  ...{ duration_seconds: 180, mp3: '/no-sound.mp3', peaks: '' },
  measured: { ...MEASURED, beat_confidence: 0.41, downbeat_confidence: 0.3, has_tempo_changes: false },
  ...{ correction: null, locked: null },
  ...more,
})

const CORRECTION: Grid['correction'] = {
  ...{ bpm: 128, first_downbeat_seconds: 1, cues: [], by_kind: 'staff', by: 'Ada', at: '2026-11-20T10:00:00Z' },
}

const dialog = dialogNamed('Beat grid: Clean')
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
const saved = () => fakeApi.inputsOf(beatGrids.correctGrid)

/** Opens the grid of a version on the page of its song. */
async function openGrid(grid: Grid = makeGrid()) {
  fakeApi.reply(beatGrids.getGrid, { grid })
  signInAs(makeProfile({ customer_id: 1, staff_role: 'curator' }))
  await openApp('/staff/songs/12')
  await press(page, 'Beat grid of Clean')
  await expect.element(dialog.getByRole('button', { name: 'Play' })).toBeVisible()
}

beforeEach(() => {
  const song = sampleOf(contract.staffSongs.song) as staffSongs.StaffSong
  const version = sampleOf(contract.staffSongs.song.shape.versions.def.element) as staffSongs.StaffVersion
  fakeApi.reply(staffSongs.getSong, {
    song: {
      ...{ ...song, entity_id: 12, title: 'Low Ceiling' },
      versions: [{ ...version, song_version_id: 21, version_label: 'Clean', file: 'stored' }],
    },
  } as Partial<ReplyOf<typeof staffSongs.getSong>>)
})

test('changes the measured grid with the tools, and saves it', async () => {
  await openGrid()
  await expect.element(dialog).toHaveTextContent('Measured: 124.02 BPM (41% confidence), bars 30%')
  await press(dialog, 'Halve')
  await expect.element(field('BPM')).toHaveValue('62.01')
  await press(dialog, 'Double')
  await field('BPM').fill('120')
  await press(dialog, '10 ms later')
  await press(dialog, '1 ms earlier')
  await expect.element(field('First downbeat')).toHaveValue('0:00.509')
  // The nearest beat, at 61.009 s, is the second of its bar.
  await dialog.getByRole('slider', { name: 'Position' }).fill('61')
  await press(dialog, 'This is the one')
  await expect.element(field('First downbeat')).toHaveValue('0:01.009')
  await press(dialog, 'Add cue point')
  await dialog.getByRole('combobox', { name: 'Type of cue point 2' }).selectOptions('Outro')
  await field('Time of cue point 1').fill('0:32.009')
  fakeApi.reply(beatGrids.correctGrid, { grid: makeGrid({ correction: CORRECTION }) })
  await press(dialog, 'Save')
  await expect.element(page.getByText('Beat grid saved')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(saved()).toEqual([
    {
      ...{ song_version_id: 21, bpm: 120, first_downbeat_seconds: 1.009 },
      cues: [
        { kind: 'drop', at_seconds: 32.009 },
        { kind: 'outro', at_seconds: 61.009 },
      ],
    },
  ])
})

test('moves a cue point by a beat with the arrow keys, and deletes it', async () => {
  await openGrid(makeGrid({ measured: { ...makeGrid().measured!, bpm: 120 } }))
  await dialog.getByRole('slider', { name: 'Position' }).fill('30')
  await dialog.getByRole('button', { name: 'Drop, 0:30.500' }).click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(field('Time of cue point 1')).toHaveValue('0:31.000')
  await press(dialog, 'Delete cue point 1')
  await expect.element(field('Time of cue point 1')).not.toBeInTheDocument()
})

test('names invalid values, and keeps what was entered when it is closed', async () => {
  await openGrid()
  await field('BPM').fill('12')
  await expect.element(dialog.getByRole('button', { name: 'Halve' })).toBeDisabled()
  await press(dialog, 'Save')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a BPM from 20 to 400.')
  expect(saved()).toEqual([])
  await field('BPM').fill('126.5')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await press(page, 'Beat grid of Clean')
  await expect.element(field('BPM')).toHaveValue('126.5')
  await expect.element(dialog.getByText(/^Unsaved draft/)).toBeVisible()
})

test('returns to the measured grid', async () => {
  fakeApi.reply(beatGrids.removeCorrection, { grid: makeGrid() })
  await openGrid(makeGrid({ correction: CORRECTION }))
  await expect.element(field('BPM')).toHaveValue('128')
  await expect.element(dialog).toHaveTextContent('Corrected by staff, Ada')
  await press(dialog, 'Use the measured grid')
  await expect.element(field('BPM')).toHaveValue('124.02')
  expect(fakeApi.inputsOf(beatGrids.removeCorrection)).toEqual([{ song_version_id: 21 }])
})

test('says that the sound could not be loaded, and that there was no beat', async () => {
  await openGrid(makeGrid({ measured: null }))
  await expect.element(dialog).toHaveTextContent('The analysis found no beats in this file.')
  await expect.element(dialog.getByRole('button', { name: 'Tap (T)' })).toBeDisabled()
  await press(dialog, 'Play')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Couldn’t load the sound.')
})

test('shows a locked grid without tools', async () => {
  await openGrid(makeGrid({ correction: CORRECTION, locked: 'staff' }))
  await expect.element(dialog).toHaveTextContent('Staff have corrected this beat grid')
  await expect.element(dialog.getByRole('button', { name: 'Save' })).not.toBeInTheDocument()
})
