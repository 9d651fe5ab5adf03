import type { imports } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { chosenIn, folderOf } from './folderFiles.ts'
import { becameOf, outcomeOf, progressOf, standingOf } from './importWords.ts'

const RUN: imports.ImportRun = {
  import_run_id: 1,
  source: 'folder',
  folder: '/srv/music',
  song_section_id: 1,
  genre: '',
  phase: 'plan',
  state: 'done',
  files: 4,
  bytes: 4000,
  files_arrived: 0,
  files_done: 4,
  bytes_done: 4000,
  songs_added: 1,
  versions_added: 2,
  skipped: 2,
  noted: 0,
  reasons: [],
  trouble: '',
  started_by: null,
  created_at: '',
  started_at: null,
  ended_at: null,
}

test('a dry run says what would happen, an import what did', () => {
  expect(outcomeOf({ ...RUN })).toBe('2 versions would come in (1 new song), 2 files would be skipped.')
  expect(outcomeOf({ ...RUN, phase: 'import', versions_added: 0, skipped: 0 })).toBe('Nothing came in.')
  expect(standingOf(RUN)).toBe('Looked through')
  expect(standingOf({ ...RUN, phase: 'import', state: 'running' })).toBe('Coming in')
})

test('how long it takes is said once there is something to go by', () => {
  const running = { ...RUN, state: 'running' as const, files_done: 1, bytes_done: 1000 }
  expect(progressOf(running, new Date())).toBe('1 of 4 files, 1.0 kB of 4.0 kB')
  const started_at = '2026-11-21T12:00:00.000Z'
  expect(progressOf({ ...running, started_at }, new Date('2026-11-21T12:01:00Z'))).toMatch(/about 3 min left$/)
})

test('a file is told by its song, or by why it is not in', () => {
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
  }
  expect(becameOf(file)).toBe('Kwame – Night Drive (Clean), a new song')
  expect(becameOf({ ...file, outcome: 'skipped', reason: 'damaged', detail: 'It ends early.' })).toBe(
    'Damaged: It ends early.',
  )
})

test('a chosen folder has its name, its music in order, and how much is none', () => {
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

test('each folder with music has the picture that is likeliest its cover', () => {
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
