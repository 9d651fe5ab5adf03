import { type catalogue, ownLibrary } from '@dubplate/contract'
import { fakeApi } from '../../test/fakeApi.ts'
import { loadOwned } from './owned.ts'

/** Samples for the tests of DJ libraries. */

export const makeLibrary = (overrides: Partial<ownLibrary.OwnLibrary> = {}): ownLibrary.OwnLibrary => ({
  ...{ library_id: 1, name: 'Traktor', format: 'traktor' },
  ...{ entries: 100, matched: 60, to_review: 10, not_found: 30 },
  ...{ imported_at: '2026-11-20T10:00:00Z', matched_at: '2026-11-20T10:01:00Z' },
  ...overrides,
})

export const makeImport = (overrides: Partial<ownLibrary.LibraryImport> = {}): ownLibrary.LibraryImport => ({
  ...{ library_id: 2, name: 'Serato', format: 'serato', state: 'matching', entries: 2000, done: 500 },
  started_at: '2026-11-27T06:00:00Z',
  ...overrides,
})

export const makeOverview = (overrides: Partial<ownLibrary.LibraryOverview> = {}): ownLibrary.LibraryOverview => ({
  libraries: [makeLibrary()],
  imports: [],
  songs: { in_library: 60, downloaded: 5, owned: 63 },
  ...overrides,
})

/** A file that may be one of these songs. */
export const makeMatch = (
  candidates: readonly catalogue.Song[],
  overrides: Partial<ownLibrary.EntryMatch> = {},
): ownLibrary.EntryMatch => ({
  ...{ entry_id: 1, library_id: 1, artist: 'Ada Vale', title: 'Afterglow', version: '', duration_seconds: 372 },
  ...{ file_name: 'Ada Vale - Afterglow.mp3', folder: 'Music/House', state: 'review', decision: null, reason: 'name' },
  ...{ entity_id: null, song_version_id: null, confidence: null },
  candidates: candidates.map(({ entity_id }, n) => ({ entity_id, song_version_id: null, confidence: 0.72 - n / 10 })),
  ...overrides,
})

/** What the member owns: these songs are in their library, in these versions. */
export async function ownInLibrary(songs: readonly number[], versions: readonly number[] = []): Promise<void> {
  const deltas = (ids: readonly number[]) =>
    ids.toSorted((a, b) => a - b).map((id, n, sorted) => id - (sorted[n - 1] ?? 0))
  const in_library = { songs: deltas(songs), versions: deltas(versions) }
  fakeApi.reply(ownLibrary.getOwned, { revision: 'r1', owned: { in_library, downloaded: { songs: [], versions: [] } } })
  await loadOwned()
}
