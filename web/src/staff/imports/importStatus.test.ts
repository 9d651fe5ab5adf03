import { expect, test } from 'vitest'
import { makeImport, makeImportFile } from '../../../test/staffSamples.ts'
import { fileResult, progressText, statusOf, summaryOf } from './importStatus.ts'

const RUN = makeImport({
  files: 4,
  files_done: 4,
  bytes: 4000,
  bytes_done: 4000,
  songs_added: 1,
  versions_added: 2,
  skipped: 2,
})

test('summarizes what an import would do and what it did', () => {
  expect(summaryOf({ ...RUN })).toBe('2 versions to import (1 new song), 2 files to skip')
  expect(summaryOf({ ...RUN, phase: 'import', versions_added: 0, skipped: 0 })).toBe('Nothing imported')
  expect(summaryOf({ ...RUN, phase: 'import', versions_added: 1, songs_added: 0, skipped: 1, noted: 2 })).toBe(
    '1 version imported, 1 file skipped, 2 files need review',
  )
  expect(statusOf(RUN).text).toBe('Scanned')
  expect(statusOf({ ...RUN, phase: 'import', state: 'running' }).text).toBe('Importing…')
})

test('estimates the remaining time from the audio still to be analysed, not from the number or size of files', () => {
  const running = { ...RUN, phase: 'import' as const, state: 'running' as const, audio_seconds: 4000 }
  const at = (seconds: number, audio_seconds_done: number, bytes_done: number) => ({
    at: seconds * 1000,
    run: { ...running, audio_seconds_done, bytes_done, files_done: 3 },
  })
  expect(progressText(at(0, 0, 0).run, [at(0, 0, 0)])).toBe('3 of 4 files, 0 B of 4.0 kB')
  // Nearly all bytes of a large WAV are done, but a quarter of the audio only.
  const samples = [at(0, 0, 0), at(60, 1000, 3900)]
  expect(progressText(at(60, 1000, 3900).run, samples)).toBe('3 of 4 files, 3.9 kB of 4.0 kB, about 3 min left')
  // A scan is estimated by bytes, because no duration is known yet.
  const unknown = samples.map(({ at, run }) => ({
    at,
    run: { ...run, phase: 'plan' as const, bytes_done: run.bytes_done / 3.9 },
  }))
  expect(progressText({ ...at(60, 0, 1000).run, phase: 'plan' }, unknown)).toMatch(/about 3 min left$/)
})

test('measures an import that continues after a long stop by its current speed', () => {
  const run = { ...RUN, phase: 'import' as const, state: 'running' as const, audio_seconds: 1000, files_done: 1 }
  const started_at = '2020-01-01T00:00:00.000Z'
  const samples = [
    { at: 0, run: { ...run, started_at, audio_seconds_done: 880 } },
    { at: 30_000, run: { ...run, started_at, audio_seconds_done: 940 } },
  ]
  expect(progressText({ ...run, started_at, audio_seconds_done: 940 }, samples)).toMatch(/30 s left$/)
})

test('describes a file by its song, or by why it was not imported', () => {
  const file = makeImportFile({
    outcome: 'added',
    title: 'Night Drive',
    artist: 'Kwame',
    version_label: 'Clean',
    is_new_song: true,
  })
  expect(fileResult(file)).toBe('Kwame – Night Drive (Clean), new song')
  expect(fileResult({ ...file, outcome: 'skipped', reason: 'damaged', detail: 'It ends early.' })).toBe(
    'Damaged: It ends early.',
  )
})
