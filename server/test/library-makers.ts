import { ownLibrary } from '@dubplate/contract'
import { importParts, type LibraryEntry } from '@dubplate/contract/library-files'
import { matchNext } from '../src/own-library/matching.ts'
import type { TestPool } from './pool.ts'

/** Libraries for tests. */

/** An entry named as the pool names a song. */
export const anEntry = (values: Partial<LibraryEntry> & { file?: string } = {}): LibraryEntry => {
  const { artist = '', title = '', file = `${artist} - ${title}.mp3`, ...others } = values
  return {
    ...{ artist, title, version: '', remixer: '', album: '', isrc: '', duration_seconds: null, bpm: null, bytes: null },
    ...{ file_name: file, path_parts: ['Music', 'Sets', file] },
    ...others,
  }
}

type Member = { token: string }
type ImportOptions = { name?: string; format?: ownLibrary.CollectionFormat }

/** Sends all parts of a library. */
export async function sendLibrary(
  pool: TestPool,
  { token }: Member,
  entries: readonly LibraryEntry[],
  { name = 'My library', format = 'rekordbox' }: ImportOptions = {},
): Promise<ownLibrary.LibraryImport> {
  let last: ownLibrary.LibraryImport | undefined
  for (const part of importParts(entries)) {
    const input = { library_id: last?.library_id, name, format, total: entries.length, ...part }
    last = (await pool.ask(ownLibrary.importCollection, input, token)).import
  }
  return last!
}

/** Does what a worker does, until no library is left to be matched. */
export async function matchAll(pool: TestPool): Promise<void> {
  while (await matchNext(pool.ctx, new AbortController().signal));
}

export async function importLibrary(
  pool: TestPool,
  member: Member,
  entries: readonly LibraryEntry[],
  options: ImportOptions = {},
): Promise<number> {
  const { library_id } = await sendLibrary(pool, member, entries, options)
  await matchAll(pool)
  return library_id
}
