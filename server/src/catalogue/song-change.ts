import type { corrections, ErrorCode, ParsedInputOf } from '@dubplate/contract'
import { ApiError, fieldError, throwCombined } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type Source, versionCode, versionKind } from './additions.ts'
import { type GenreTree, genresAfter } from './genre-change.ts'
import {
  bpmOf,
  isSame,
  keyOf,
  type LockedSong,
  type LockedVersion,
  type Status,
  type Values,
  versionField,
} from './song-values.ts'
import { fileBpm, fileKey } from './version-tempo.ts'

type VersionChange = ParsedInputOf<typeof corrections.editSong>['versions'][number]

/** The values of a song after a change of the contract; unchanged values keep their source. */
export function valuesAfter(
  { values }: LockedSong,
  change: corrections.ParsedChange,
  { tree, source, isTaken = false }: { tree: GenreTree; source: Source; isTaken?: boolean },
): Values {
  const wanted: Values = {}
  /** A value taken from a source gets that source even if it is the same. */
  const isNew = (before: unknown, after: unknown) => isTaken || !isSame(before, after)
  for (const field of ['title', 'artist', 'album', 'label', 'remixer', 'isrc'] as const) {
    const value = change[field]
    if (value !== undefined && isNew(values[field][0], value)) wanted[field] = [value, source]
  }
  if (change.year !== undefined && isNew(values.year[0], change.year)) wanted.year = [change.year, source]
  if (change.bpm !== undefined) {
    const { min_bpm, max_bpm } = change.bpm ?? { min_bpm: null, max_bpm: null }
    if (isNew(values.bpm.slice(0, 2), [min_bpm, max_bpm])) wanted.bpm = [min_bpm, max_bpm, source]
  }
  if (change.song_key !== undefined && isNew(values.song_key[0], change.song_key))
    wanted.song_key = [change.song_key, source]
  if (change.genres) {
    const genres = genresAfter(values.genres[0], change.genres, tree)
    if (isNew(values.genres[0], genres)) wanted.genres = [genres, source]
  }
  if (change.song_section_id !== undefined) wanted.song_section_id = change.song_section_id
  return wanted
}

/**
 * The values of a song's versions after a change, and their positions if an order is given. Throws the errors of
 * `rejectVersions`, and `conflict` for an order of other versions.
 */
export async function versionsAfter(
  sql: Sql,
  song: LockedSong,
  { versions, order }: { versions: readonly VersionChange[]; order?: readonly number[] | undefined },
): Promise<Values> {
  await rejectVersions(sql, song, versions)
  const wanted: Values = {}
  for (const params of versions) {
    const version = versionOf(song, params.song_version_id)
    const { start_seconds } = params
    const name = await nameAfter(sql, version, params)
    if (name) wanted[`version.${version.song_version_id}.name`] = name
    if (start_seconds !== undefined)
      wanted[`version.${version.song_version_id}.start`] = Math.round(start_seconds * 100) / 100
    Object.assign(wanted, tempoAfter(version, params))
  }
  if (order) Object.assign(wanted, placesAfter(song, order))
  return wanted
}

/** The tempo and key that staff set for a version; null follows its file again. Unchanged values keep their source. */
function tempoAfter(version: LockedVersion, { bpm, song_key }: VersionChange): Values {
  const wanted: Values = {}
  const id = version.song_version_id
  if (bpm === null) wanted[`version.${id}.bpm`] = bpmOf({ ...version, ...fileBpm(version) })
  else if (bpm) {
    const { min_bpm, max_bpm } = bpm
    const bpmTo = max_bpm === min_bpm ? null : max_bpm
    if (!isSame([version.bpm, version.bpm_to], [min_bpm, bpmTo]))
      wanted[`version.${id}.bpm`] = [min_bpm, bpmTo, 'staff']
  }
  if (song_key === null) wanted[`version.${id}.key`] = keyOf({ ...version, ...fileKey(version) })
  else if (song_key !== undefined && (song_key || null) !== version.song_key)
    wanted[`version.${id}.key`] = [song_key || null, 'staff']
  return wanted
}

/**
 * Checks changes of versions; an undefined one has already been rejected. Throws `unknown_version`, `unknown_version_type`,
 * `preview_start_out_of_range` and `duplicate_version_label`, all of them at once. Writes nothing.
 */
export async function rejectVersions(
  sql: Sql,
  song: LockedSong,
  versionChanges: readonly (VersionChange | undefined)[],
): Promise<void> {
  const kinds = await sql<{ version_kind_id: number; name: string }[]>`
    select version_kind_id, name from version_kind
    where version_kind_id = any(${versionChanges.flatMap((params) => params?.version_kind_id ?? [])}::int[])`
  const nameOf = (kindId: number | undefined) => kinds.find((kind) => kind.version_kind_id === kindId)?.name
  const labelOf = ({ song_version_id, version_label }: LockedVersion) => {
    const params = versionChanges.find((one) => one?.song_version_id === song_version_id)
    return (params?.version_label ?? nameOf(params?.version_kind_id) ?? version_label).toLowerCase()
  }
  const publishedVersions = song.versions.filter(({ status }) => status !== 'unpublished')
  throwCombined(
    versionChanges.flatMap((params, n) => {
      if (!params) return []
      const reject = (code: ErrorCode, field: keyof VersionChange, sentence: string) =>
        fieldError(code, `versions.${n}.${field}`, sentence)
      const version = song.versions.find(({ song_version_id }) => song_version_id === params.song_version_id)
      if (!version) return [reject('unknown_version', 'song_version_id', UNKNOWN_VERSION_MESSAGE)]
      const { version_kind_id: kindId, version_label, start_seconds = 0 } = params
      const isNamed = kindId !== undefined || version_label !== undefined
      const isDuplicate =
        isNamed &&
        publishedVersions.includes(version) &&
        publishedVersions.some((one) => one !== version && labelOf(one) === labelOf(version))
      const named = version_label ?? nameOf(kindId)
      return [
        ...(kindId !== undefined && nameOf(kindId) === undefined
          ? [
              reject(
                'unknown_version_type',
                'version_kind_id',
                'This version type no longer exists. Choose another one.',
              ),
            ]
          : []),
        ...(isDuplicate && named !== undefined
          ? [reject('duplicate_version_label', 'version_label', `It already has a version “${named}”.`)]
          : []),
        ...(start_seconds > 0 && start_seconds >= version.duration_seconds
          ? [reject('preview_start_out_of_range', 'start_seconds', 'The preview start is after the end of the file.')]
          : []),
      ]
    }),
  )
}

const UNKNOWN_VERSION_MESSAGE = 'This version no longer exists.'

function versionOf({ versions }: LockedSong, versionId: number): LockedVersion {
  const version = versions.find(({ song_version_id }) => song_version_id === versionId)
  if (!version) throw new ApiError('unknown_version', UNKNOWN_VERSION_MESSAGE)
  return version
}

/** A kind sets the name, and a name sets the kind: a new one if no kind has this name. */
async function nameAfter(
  sql: Sql,
  version: LockedVersion,
  params: VersionChange,
): Promise<[string, number] | undefined> {
  const { version_kind_id: kindId, version_label: label } = params
  if (kindId === undefined && label === undefined) return undefined
  if (kindId === undefined) {
    const requestedLabel = label ?? ''
    const isAsBefore = versionCode(requestedLabel) === versionCode(version.version_label)
    return [
      requestedLabel,
      isAsBefore ? version.version_kind_id : await versionKind(sql, requestedLabel, { offered: false }),
    ]
  }
  const [kind] = await sql<{ name: string }[]>`select name from version_kind where version_kind_id = ${kindId}`
  if (!kind) throw new ApiError('unknown_version_type', 'This version type no longer exists. Choose another one.')
  return [label ?? kind.name, kindId]
}

function placesAfter({ versions }: LockedSong, order: readonly number[]): Values {
  const ids = versions.map(({ song_version_id }) => song_version_id)
  if (!isSame([...ids].sort(), [...order].sort()))
    throw new ApiError(
      'conflict',
      'The versions of this song have changed since you opened it. Reload to see the changes.',
    )
  return Object.fromEntries(order.map((id, place) => [`version.${id}.place`, place])) as Values
}

/** Throws `duplicate_version_label` if two versions in the pool would have the same name. */
function rejectDuplicateLabels({ versions }: LockedSong, wanted: Values): void {
  const seen = new Set<string>()
  for (const { song_version_id: id, ...version } of versions) {
    const [status] = (wanted[`version.${id}.status`] as [Status] | undefined) ?? [version.status]
    if (status === 'unpublished') continue
    const [label] = (wanted[`version.${id}.name`] as [string] | undefined) ?? [version.version_label]
    if (seen.has(label.toLowerCase()))
      throw new ApiError('duplicate_version_label', `This song already has a version named “${label}”.`)
    seen.add(label.toLowerCase())
  }
}

/** The transaction's time, as it is stored. */
async function currentTimestamp(sql: Sql): Promise<string> {
  const [now] = await sql<{ at: string }[]>`select now()::text as at`
  return now?.at ?? ''
}

/** The changed values for unpublishing a song; none if it is unpublished already. */
export const unpublished = async (sql: Sql, { values }: LockedSong): Promise<Values> =>
  values.status[0] === 'unpublished' ? {} : { status: ['unpublished', await currentTimestamp(sql)] }

/**
 * The changed values for publishing a song again. Throws `no_published_version` if none of its versions would be
 * published.
 */
export function restoredValues({ values, versions }: LockedSong): Values {
  if (values.status[0] === 'published') return {}
  if (!versions.some(({ status }) => status === 'published'))
    throw new ApiError('no_published_version', 'This song has no published versions. Republish a version first.')
  return { status: ['published', null] }
}

/**
 * The changed values for unpublishing one version. Throws `unknown_version`, and `last_version` if the song would have
 * none left.
 */
export async function unpublishedVersionValues(sql: Sql, song: LockedSong, versionId: number): Promise<Values> {
  if (versionOf(song, versionId).status === 'unpublished') return {}
  const others = song.versions.filter(
    ({ song_version_id, status }) => status === 'published' && song_version_id !== versionId,
  )
  if (others.length === 0 && song.values.status[0] === 'published')
    throw new ApiError('last_version', 'This is the song’s only published version. Unpublish the song instead.')
  return versionField(versionId, 'status', ['unpublished', await currentTimestamp(sql)])
}

/** The changed values for publishing one version again. Throws `unknown_version` or `duplicate_version_label`. */
export function restoredVersionValues(song: LockedSong, versionId: number): Values {
  if (versionOf(song, versionId).status === 'published') return {}
  const wanted = versionField(versionId, 'status', ['published', null])
  rejectDuplicateLabels(song, wanted)
  return wanted
}
