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

type ListFollows = Pick<merging.MergeConsequences, 'lists' | 'trending' | 'downloads' | 'listens'>

/** The references of the merged songs in the catalogue: positions in lists, pins and counts. */
export async function followsInCatalogue(sql: Sql, from: readonly number[], into: number): Promise<ListFollows> {
  const [counted] = await sql<{ downloads: number; listens: number; pins: number; doubles: number }[]>`
    with gone as (select unnest(${[...from]}::bigint[]) as entity_id)
    select coalesce(sum(t.downloads), 0)::int as downloads, coalesce(sum(t.listens), 0)::int as listens,
      count(o.entity_id)::int as pins,
      greatest(count(o.entity_id) + (select count(*) from trending_override where entity_id = ${into}) - 1, 0)::int as doubles
    from gone left join song_total t using (entity_id) left join trending_override o using (entity_id)`
  const { pins = 0, doubles = 0, downloads = 0, listens = 0 } = counted ?? {}
  const ids = sql`${[...from]}::bigint[]`
  const lists = await sql<{ title: string; double: boolean }[]>`
    select title, n + has > 1 as double from (
      select l.title, count(*) filter (where entity_id = any(${ids})) as n, count(*) filter (where entity_id = ${into}) as has
      from curated_list l join curated_list_song using (curated_list_id) group by l.curated_list_id
      union all
      select t.title, count(*) filter (where entity_id = any(${ids})), count(*) filter (where entity_id = ${into})
      from top20 t join top20_song using (top20_track_id) group by t.top20_track_id) counted
    where n > 0 order by title`
  return { downloads, listens, trending: { rows: pins, doubles: pins === 0 ? 0 : doubles }, lists: [...lists] }
}
