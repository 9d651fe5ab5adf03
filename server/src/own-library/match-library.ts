import { comparisonKey } from '@dubplate/contract'
import { lastPathParts } from '@dubplate/contract/library-files'
import type { CandidateSource } from './candidates.ts'
import { EntryMatch, type LibraryMatch } from './entry-match.ts'
import type { MatchableEntry } from './entry-readings.ts'
import { normalizeIsrc } from './isrc.ts'

/** Where a profile stores a version that the member has downloaded. */
export type ProfilePath = { path: string; entity_id: number; song_version_id: number }

const BATCH_SIZE = 500

/**
 * Finds the songs and versions of the pool among the files of a library, in the order of its entries. The rules, in this
 * order: the path of a download, the ISRC with a similar title, artist and title. See
 * docs/decisions/0056-member-library.md.
 */
export async function matchLibrary(
  entries: readonly MatchableEntry[],
  source: CandidateSource,
  profilePaths: Iterable<ProfilePath> = [],
): Promise<LibraryMatch[]> {
  const paths = indexPaths(profilePaths)
  const matches: LibraryMatch[] = []
  for (let start = 0; start < entries.length; start += BATCH_SIZE)
    matches.push(...(await matchBatch(entries.slice(start, start + BATCH_SIZE), source, paths)))
  return matches
}

/** Does the same for entries of which all candidates are looked up at once. */
export async function matchBatch(
  entries: readonly MatchableEntry[],
  source: CandidateSource,
  paths: PathIndex,
): Promise<LibraryMatch[]> {
  const batch = entries.map((entry) => new EntryMatch(entry, paths.get(pathKey(entry.path_parts))))
  await matchIsrcs(batch, source)
  await matchNames(batch, source)
  return batch.map((one) => one.result())
}

/** The last folders and the name are the same on every computer and in every library. */
const pathKey = (parts: readonly string[]): string => comparisonKey(parts.join('/'))

/** The versions by path, in the form in which paths are compared. */
export type PathIndex = ReadonlyMap<string, ProfilePath | undefined>

/** A path that two versions have, in different profiles, is not evidence for either. */
export function indexPaths(profilePaths: Iterable<ProfilePath>): PathIndex {
  const paths = new Map<string, ProfilePath | undefined>()
  for (const one of profilePaths) {
    const key = pathKey(lastPathParts(one.path))
    const isOther = paths.has(key) && paths.get(key)?.song_version_id !== one.song_version_id
    paths.set(key, isOther ? undefined : one)
  }
  return paths
}

async function matchIsrcs(batch: readonly EntryMatch[], source: CandidateSource): Promise<void> {
  const open = batch.filter(({ isOpen, isrc }) => isOpen && isrc !== '')
  if (open.length === 0) return
  const songs = await source.findByIsrc([...new Set(open.map(({ isrc }) => isrc))])
  const withIsrc = songs.map((song) => ({ song, isrc: normalizeIsrc(song.isrc) }))
  for (const one of open) one.compareIsrc(withIsrc.filter(({ isrc }) => isrc === one.isrc).map(({ song }) => song))
}

/** A less likely way to understand an entry is only tried if the ones before it found no certain match. */
async function matchNames(batch: readonly EntryMatch[], source: CandidateSource): Promise<void> {
  for (let n = 0; ; n++) {
    const open = batch.flatMap((one) => {
      const reading = one.isOpen ? one.readingAt(n) : undefined
      return reading ? [{ one, reading }] : []
    })
    if (open.length === 0) return
    const candidates = await source.findByName(
      open.map(({ reading: { core, words, artist_words } }) => ({ core, title_words: words, artist_words })),
    )
    for (const [at, { one, reading }] of open.entries()) one.compareNames(reading, candidates[at] ?? [])
  }
}
