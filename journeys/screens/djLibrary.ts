import { type Endpoint, ownLibrary, type ReplyOf } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { getDemoSongs } from '../support.ts'

const fulfil = <E extends Endpoint>(page: Page, call: E, data: ReplyOf<E>) =>
  page.route(`**/api/${call.path}*`, (route) => route.fulfill({ json: { data } }))

/** Makes a page show libraries with files in every state, which the demo does not have. */
export async function showDjLibrary(page: Page): Promise<void> {
  const songs = await getDemoSongs(4)
  const library: ownLibrary.OwnLibrary = {
    ...{ library_id: 1, name: 'Traktor', format: 'traktor', entries: 12_345, matched: 8000, to_review: 3 },
    ...{ not_found: 4342, imported_at: '2026-11-20T10:00:00Z', matched_at: '2026-11-20T10:01:00Z' },
  }
  const longName = 'The library of an old laptop, with a name that does not fit'
  await fulfil(page, ownLibrary.getLibraries, {
    libraries: [library, { ...library, library_id: 2, name: longName, format: 'folder' }],
    imports: [
      {
        ...{ library_id: 3, name: 'Serato', format: 'serato', state: 'receiving', entries: 2000, done: 500 },
        started_at: '2026-11-27T06:00:00Z',
      },
    ],
    songs: { in_library: 8000, downloaded: 20, owned: 8010 },
  })
  const match: ownLibrary.EntryMatch = {
    ...{
      entry_id: 1,
      library_id: 1,
      artist: 'An artist with a long name, and another artist, and a third',
      version: '',
    },
    ...{
      title: 'A title that is longer than the column it is in, as titles of remixes often are',
      folder: 'Music/House',
    },
    ...{ file_name: '01 - a-file-name-without-spaces-that-is-also-quite-long.mp3', duration_seconds: 372 },
    ...{ state: 'review', decision: null, reason: 'name', entity_id: null, song_version_id: null, confidence: null },
    candidates: songs.slice(0, 2).map(({ entity_id }) => ({ entity_id, song_version_id: null, confidence: 0.72 })),
  }
  await fulfil(page, ownLibrary.getMatches, {
    matches: [match, { ...match, entry_id: 2, candidates: match.candidates.slice(0, 1) }],
    songs,
    pagination: { page: 1, perPageLimit: ownLibrary.MATCHES_PER_PAGE, totalCount: 120 },
  })
  await fulfil(page, ownLibrary.getBetterVersions, {
    songs: songs.map((song) => ({
      song,
      owned: [],
      missing: song.version.map(({ song_version_id }) => ({ song_version_id, reason: 'preferred' as const })),
    })),
    counts: { all: 812, preferred: 120, lossless: 31 },
    pagination: { page: 1, perPageLimit: ownLibrary.BETTER_SONGS_PER_PAGE, totalCount: 812 },
  })
}
