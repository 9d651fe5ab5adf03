import type { LibraryMatch } from './entry-match.ts'
import type { MadeEntry } from './make-damaged-library.ts'

/** How right the matches of a made-up library are: shares of the certain matches, and of the files that the pool has. */
export function measureMatches(matches: readonly LibraryMatch[], generated: readonly MadeEntry[]) {
  const certain = matches.flatMap((match, n) => (match.kind === 'certain' ? [{ match, truth: generated[n]! }] : []))
  const right = certain.filter(({ match, truth }) => match.entity_id === truth.entity_id)
  const owned = generated.filter(({ entity_id }) => entity_id !== null)
  const versions = certain.filter(({ match }) => match.song_version_id !== null)
  const rightVersions = versions.filter(({ match, truth }) => match.song_version_id === truth.song_version_id)
  return {
    precision: right.length / certain.length,
    recall: right.length / owned.length,
    versionPrecision: rightVersions.length / versions.length,
  }
}
