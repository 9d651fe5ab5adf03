import type { merging, ReplyOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import {
  type MaintainedSong,
  type MaintainedVersion,
  readMaintainedSongs,
  readMaintainedVersions,
  rejectMissing,
  stateOf,
  toVersion,
} from './maintained-songs.ts'
import { mergeProblem } from './merging.ts'

type ProposedVersion = Omit<ReplyOf<typeof merging.getMerge>['versions'][number], 'downloads'>

/** The catalogue's part of the preview of a merge. Throws `unknown_song`. */
export async function buildMergePreview(sql: Sql, entityIds: readonly number[], keepId: number | undefined) {
  const ids = [...new Set(entityIds)]
  const songs = await readMaintainedSongs(sql, ids)
  rejectMissing(ids, songs)
  const versions = await readMaintainedVersions(sql, ids)
  const keep = keepId ?? mostComplete(songs, versions)
  return {
    songs,
    keep_entity_id: keep,
    versions: proposeVersions(versions, keep),
    blocked_reason: ids.length < 2 ? 'Choose at least two songs.' : mergeProblem(songs, keep),
    state: stateOf(songs, versions),
  }
}

/** Prefers published songs, then the most downloaded, then the one with most versions, then the oldest. */
function mostComplete(songs: readonly MaintainedSong[], versions: readonly MaintainedVersion[]): number {
  const count = (song: MaintainedSong) => versions.filter(({ entity_id }) => entity_id === song.entity_id).length
  const [best] = songs.toSorted(
    (a, b) =>
      Number(b.status === 'published') - Number(a.status === 'published') ||
      b.downloads - a.downloads ||
      count(b) - count(a) ||
      a.entity_id - b.entity_id,
  )
  return best?.entity_id ?? 0
}

/** Puts the versions of the remaining song first; a duplicate name gets a number. */
function proposeVersions(versions: readonly MaintainedVersion[], keep: number): ProposedVersion[] {
  const ordered = versions.toSorted((a, b) => Number(b.entity_id === keep) - Number(a.entity_id === keep))
  const taken = new Map<string, number>()
  const sounds = new Set<string>()
  return ordered.map((version) => {
    const name = version.version_label.toLowerCase()
    const conflict = version.is_listed ? (taken.get(name) ?? null) : null
    const label = conflict === null ? version.version_label : free(version.version_label, versions, taken)
    if (version.is_listed) taken.set(label.toLowerCase(), version.song_version_id)
    const is_same_audio = version.sound !== null && sounds.has(version.sound)
    if (version.sound !== null && version.is_listed) sounds.add(version.sound)
    return { ...toVersion(version), proposed_label: label, conflicts_with: conflict, is_same_audio }
  })
}

function free(label: string, versions: readonly MaintainedVersion[], taken: ReadonlyMap<string, number>): string {
  const isTaken = (one: string) =>
    taken.has(one.toLowerCase()) ||
    versions.some((version) => version.is_listed && version.version_label.toLowerCase() === one.toLowerCase())
  for (let n = 2; ; n++) if (!isTaken(`${label} (${n})`)) return `${label} (${n})`
}

type MergedCounts = Pick<merging.MergeConsequences, 'downloads' | 'listens'>

/** The counts of the merged songs, which the remaining song takes over. */
export async function countMergedEvents(sql: Sql, from: readonly number[]): Promise<MergedCounts> {
  const [counted] = await sql<MergedCounts[]>`
    select coalesce(sum(downloads), 0)::int as downloads, coalesce(sum(listens), 0)::int as listens
    from song_total where entity_id = any(${[...from]}::bigint[])`
  return { downloads: counted?.downloads ?? 0, listens: counted?.listens ?? 0 }
}
