import type { VersionBpm, VersionKey } from './song-values.ts'
import { bpmOf, keyOf, type LockedSong, type LockedVersion, type Status, type Values } from './song-values.ts'
import { deriveSong, resolveVersions, type SongTempo, withSongBpm, withSongKey } from './version-tempo.ts'

const CHANGES_TEMPO = /^(?:bpm|song_key|version\.\d+\.(?:bpm|key|status))$/

/** Whether the tempo or key of the song or of one of its versions may be different after a change. */
export const changesTempo = (wanted: Values): boolean => Object.keys(wanted).some((field) => CHANGES_TEMPO.test(field))

/** The versions of a song as they are after a change, before they are compared with each other. */
function versionsWith(song: LockedSong, wanted: Values): LockedVersion[] {
  return song.versions.map((version) => {
    const id = version.song_version_id
    const [bpm, bpm_to, bpm_source] = (wanted[`version.${id}.bpm`] as VersionBpm | undefined) ?? bpmOf(version)
    const [song_key, key_source] = (wanted[`version.${id}.key`] as VersionKey | undefined) ?? keyOf(version)
    const [status] = (wanted[`version.${id}.status`] as [Status] | undefined) ?? [version.status]
    return { ...version, bpm, bpm_to, bpm_source, song_key, key_source, status }
  })
}

const versionValuesOf = (versions: readonly LockedVersion[], what: 'bpm' | 'key'): Values =>
  Object.fromEntries(
    versions.map((version) => [
      `version.${version.song_version_id}.${what}`,
      what === 'bpm' ? bpmOf(version) : keyOf(version),
    ]),
  )

/** Adds to a change of a song's tempo or key what it means for its versions. Their own changes win. */
export function spreadToVersions(song: LockedSong, wanted: Values): Values {
  const { bpm, song_key } = wanted
  const forVersions: Values = {}
  if (bpm) {
    const [min_bpm, max_bpm, bpm_source] = bpm
    Object.assign(forVersions, versionValuesOf(withSongBpm(song.versions, { min_bpm, max_bpm, bpm_source }), 'bpm'))
  }
  if (song_key)
    Object.assign(
      forVersions,
      versionValuesOf(withSongKey(song.versions, { song_key: song_key[0], key_source: song_key[1] }), 'key'),
    )
  return { ...forVersions, ...wanted }
}

/** Adds to a change the tempo and key of all versions after it, and what the song then shows of them. */
export function withDerived(song: LockedSong, wanted: Values): Values {
  const versions = resolveVersions(versionsWith(song, wanted))
  const [min_bpm, max_bpm, bpm_source] = wanted.bpm ?? song.values.bpm
  const [song_key, key_source] = wanted.song_key ?? song.values.song_key
  const current: SongTempo = { min_bpm, max_bpm, bpm_source, song_key, key_source }
  const shown = deriveSong(versions, current)
  return {
    ...wanted,
    ...versionValuesOf(versions, 'bpm'),
    ...versionValuesOf(versions, 'key'),
    bpm: [shown.min_bpm, shown.max_bpm, shown.bpm_source],
    song_key: [shown.song_key, shown.key_source],
  }
}
