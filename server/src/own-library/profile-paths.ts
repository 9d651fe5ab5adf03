import { filePaths, type NamedVersion } from '@dubplate/contract'
import type { AudioFormat } from '../audio-files/faults.ts'
import { type DownloadProfile, listProfiles } from '../booth/profiles.ts'
import { EXTENSIONS } from '../catalogue/file-names.ts'
import { knownBpm, knownKey } from '../catalogue/version-values.ts'
import { fileGenres } from '../downloads/song-values.ts'
import type { Sql } from '../platform/db.ts'
import { findBeatGrids } from '../player/beat-grid.ts'
import type { ProfilePath } from './match-library.ts'

type DownloadedVersion = Omit<NamedVersion, 'extension' | 'genres'> & {
  entity_id: number
  song_version_id: number
  file_id: number | null
  format: AudioFormat
  genres: string[]
}

/** Where the member's download profiles store the versions that they have downloaded. */
export async function findProfilePaths(sql: Sql, customerId: number): Promise<ProfilePath[]> {
  const profiles = withoutRepeated(await listProfiles(sql, customerId))
  if (profiles.length === 0) return []
  const versions = await findDownloadedVersions(sql, customerId)
  if (profiles.some(hasEnergy)) await addEnergy(sql, versions)
  return profiles.flatMap((profile) => versions.flatMap((version) => pathsOf(profile, version)))
}

/** Profiles of several programs often store the same files. */
function withoutRepeated(profiles: readonly DownloadProfile[]): DownloadProfile[] {
  const byPaths = new Map(
    profiles.map((profile) => {
      const { system, music_folder, folder_template, file_template, format } = profile
      return [JSON.stringify([system, music_folder, folder_template, file_template, format]), profile]
    }),
  )
  return [...byPaths.values()]
}

const hasEnergy = ({ folder_template, file_template }: DownloadProfile): boolean =>
  `${folder_template} ${file_template}`.includes('{energy}')

/** Lossless files may have been converted. */
function pathsOf(profile: DownloadProfile, version: DownloadedVersion): ProfilePath[] {
  const { entity_id, song_version_id, format } = version
  const formats = new Set<AudioFormat>([format, ...(profile.format === 'original' ? [] : [profile.format])])
  return [...formats].map((each) => {
    const [path] = filePaths(profile, [{ ...version, extension: EXTENSIONS[each] }])
    return { path: path!.absolute, entity_id, song_version_id }
  })
}

async function findDownloadedVersions(sql: Sql, customerId: number): Promise<DownloadedVersion[]> {
  const rows = await sql<DownloadedVersion[]>`
    select v.song_version_id, s.entity_id, s.artist, s.title, v.version_label, s.remixer, s.album, s.label, s.year, s.isrc,
      ${knownBpm(sql)} as bpm, ${knownKey(sql)} as song_key, v.file_id, coalesce(f.format, 'mp3') as format,
      array(select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id and g.kind = 'genre'
        order by g.parent_id is null, g.position, g.genre_id) as genres
    from download_grant d join song_version v using (song_version_id) join song s using (entity_id) left join file f using (file_id)
    where d.customer_id = ${customerId} and d.used > 0`
  return rows.map((row) => ({ ...row, genres: fileGenres(row.genres) }))
}

async function addEnergy(sql: Sql, versions: DownloadedVersion[]): Promise<void> {
  const grids = await findBeatGrids(
    sql,
    versions.flatMap(({ file_id }) => file_id ?? []),
  )
  for (const version of versions) version.energy = grids.get(version.file_id ?? 0)?.energy ?? null
}
