import type { imports } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { chosenIn, folderOf } from './folderFiles.ts'
import { becameOf, outcomeOf, progressOf, standingOf } from './importStatus.ts'

const RUN: imports.ImportRun = {
  import_run_id: 1,
  source: 'folder',
  folder: '/srv/music',
  song_section_id: 1,
  genre: '',
  pattern: '',
  phase: 'plan',
  state: 'done',
  files: 4,
  bytes: 4000,
  files_uploaded: 0,
  files_done: 4,
  bytes_done: 4000,
  audio_seconds: 0,
  audio_seconds_done: 0,
  songs_added: 1,
  versions_added: 2,
  skipped: 2,
  noted: 0,
  reasons: [],
  sheets: [],
  error_message: '',
  started_by: null,
  created_at: '',
  started_at: null,
  ended_at: null,
}

test('says what a preview would do and what an import did', () => {
  expect(outcomeOf({ ...RUN })).toBe('2 versions to import (1 new song), 2 files to skip')
  expect(outcomeOf({ ...RUN, phase: 'import', versions_added: 0, skipped: 0 })).toBe('Nothing imported')
  expect(outcomeOf({ ...RUN, phase: 'import', versions_added: 1, songs_added: 0, skipped: 1, noted: 2 })).toBe(
    '1 version imported, 1 file skipped, 2 files need review',
  )
  expect(standingOf(RUN)).toBe('Scanned')
  expect(standingOf({ ...RUN, phase: 'import', state: 'running' })).toBe('Importing…')
})

test('estimates the remaining time from the audio still to be analysed, not from the number or size of files', () => {
  const running = { ...RUN, phase: 'import' as const, state: 'running' as const, audio_seconds: 4000 }
  const at = (seconds: number, audio_seconds_done: number, bytes_done: number) => ({
    at: seconds * 1000,
    run: { ...running, audio_seconds_done, bytes_done, files_done: 3 },
  })
  expect(progressOf(at(0, 0, 0).run, [at(0, 0, 0)])).toBe('3 of 4 files, 0 B of 4.0 kB')
  // Nearly all bytes of a large WAV are done, but a quarter of the audio only.
  const samples = [at(0, 0, 0), at(60, 1000, 3900)]
  expect(progressOf(at(60, 1000, 3900).run, samples)).toBe('3 of 4 files, 3.9 kB of 4.0 kB, about 3 min left')
  // A preview is estimated by bytes, because no duration is known yet.
  const unknown = samples.map(({ at, run }) => ({
    at,
    run: { ...run, phase: 'plan' as const, bytes_done: run.bytes_done / 3.9 },
  }))
  expect(progressOf({ ...at(60, 0, 1000).run, phase: 'plan' }, unknown)).toMatch(/about 3 min left$/)
})

test('measures an import that continues after a long stop by its current speed', () => {
  const run = { ...RUN, phase: 'import' as const, state: 'running' as const, audio_seconds: 1000, files_done: 1 }
  const started_at = '2020-01-01T00:00:00.000Z'
  const samples = [
    { at: 0, run: { ...run, started_at, audio_seconds_done: 880 } },
    { at: 30_000, run: { ...run, started_at, audio_seconds_done: 940 } },
  ]
  expect(progressOf({ ...run, started_at, audio_seconds_done: 940 }, samples)).toMatch(/30 s left$/)
})

test('describes a file by its song, or by why it was not imported', () => {
  const file: imports.ImportFile = {
    n: 1,
    path: 'a.mp3',
    bytes: 1,
    outcome: 'added',
    reason: '',
    detail: '',
    title: 'Night Drive',
    artist: 'Kwame',
    version_label: 'Clean',
    is_new_song: true,
    entity_id: 1,
    note: '',
    found: null,
    correction: null,
    is_excluded: false,
    can_edit: false,
  }
  expect(becameOf(file)).toBe('Kwame – Night Drive (Clean), new song')
  expect(becameOf({ ...file, outcome: 'skipped', reason: 'damaged', detail: 'It ends early.' })).toBe(
    'Damaged: It ends early.',
  )
})

test('returns a chosen folder’s name, its music in order, and the number of other files', () => {
  const file = (path: string) => {
    const made = new File(['x'], path.split('/').at(-1) ?? '')
    Object.defineProperty(made, 'webkitRelativePath', { value: path })
    return made
  }
  const folder = chosenIn([file('Crate/10.mp3'), file('Crate/2.mp3'), file('Crate/notes.txt'), file('Crate/.x.mp3')])
  expect(folder?.name).toBe('Crate')
  expect(folder?.files.map(({ path }) => path)).toEqual(['2.mp3', '10.mp3'])
  expect(folder?.others).toBe(2)
  expect(folderOf('Files', []).files).toEqual([])
})

test('chooses the most likely cover picture for each folder with music', () => {
  const at = (path: string) => ({ path, file: new File(['x'], path.split('/').at(-1) ?? '') })
  const { covers, others } = folderOf('Crate', [
    ...[at('1.mp3'), at('Folder.JPG'), at('one/2.mp3'), at('one/front.png'), at('one/cover.webp')],
    ...[at('one/below/3.mp3'), at('scans/cover.jpg')],
  ])
  expect([...covers].map(([folder, { path }]) => [folder, path])).toEqual([
    ['', 'Folder.JPG'],
    ['one', 'one/cover.webp'],
  ])
  expect(others).toBe(2)
})
