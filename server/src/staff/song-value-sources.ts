import { type corrections, parseTempo, type staffSongs } from '@dubplate/contract'
import { parseFileName } from '../imports/file-name.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/** A value from a source, and the change that applies it without rounding. */
export type SourcedValue = staffSongs.SelectedSong & { change: corrections.ParsedChange }

type SourcedVersion = {
  version_label: string
  uploaded_name: string
  tag: Partial<Record<string, unknown>>
  bpm: number | null
  bpm_confidence: number | null
  bpm_alternatives: number[] | null
  song_key: string | null
  key_confidence: number | null
}

type UploadRow = {
  dj_name: string
  title: string
  artist: string
  year: number
  song_key: string
  min_bpm: number
  max_bpm: number
  genres: number[]
  sources: Record<string, staffSongs.Origin>
}

/**
 * Returns the values from files, file names, the analysis and the uploader for a song, whatever its current ones are.
 */
export async function listValueSources(sql: Sql, entityId: number): Promise<SourcedValue[]> {
  const [versions, uploaded, genres] = await Promise.all([
    sql<SourcedVersion[]>`
      select v.version_label, v.uploaded_name, v.tag, a.bpm, a.bpm_confidence, a.bpm_alternatives, a.song_key, a.key_confidence
      from song_version v left join analysis a using (file_id)
      where v.entity_id = ${entityId} order by v.status = 'unpublished', v.position, v.song_version_id`,
    sql<UploadRow[]>`
      select c.dj_name, u.title, u.artist, u.year, u.song_key, u.min_bpm, u.max_bpm, u.genres, u.sources
      from upload_song u join customer c using (customer_id) where u.entity_id = ${entityId} and u.deleted_at is null`,
    sql<{ genre_id: number; name: string }[]>`select genre_id, name from genre where kind = 'genre' order by genre_id`,
  ])
  const names = new Map(genres.map(({ genre_id, name }) => [genre_id, name]))
  const candidates = [
    ...versions.flatMap((version) => [
      ...valuesFromAnalysis(version),
      ...valuesFromTags(version, names),
      ...valuesFromFileName(version),
    ]),
    ...uploaded.flatMap((ownValues) => valuesFromUploader(ownValues, names)),
  ]
  return mergeValues(candidates)
}

/** Combines equal values of several files. */
function mergeValues(candidates: readonly SourcedValue[]): SourcedValue[] {
  const seen = new Map<string, SourcedValue>()
  for (const each of candidates) {
    const key = [each.field, each.from, each.value].join('\n')
    const before = seen.get(key)
    if (!before) seen.set(key, each)
    else seen.set(key, { ...before, where: `${before.where}, ${each.where}`, confidence: byConfidence(before, each) })
  }
  return [...seen.values()]
}

const byConfidence = ({ confidence: item }: SourcedValue, { confidence: other }: SourcedValue): number | null =>
  item === null || other === null ? (item ?? other) : Math.max(item, other)

const noDetails = { confidence: null, alternatives: [], genre_ids: [] }

const rounded = (bpm: number): string => String(Math.round(bpm * 100) / 100)

const tempo = (min: number, max = min): corrections.ParsedChange => ({ bpm: { min_bpm: min, max_bpm: max } })

function valuesFromAnalysis(version: SourcedVersion): SourcedValue[] {
  const { version_label: versionLabel, bpm, bpm_confidence, bpm_alternatives, song_key, key_confidence } = version
  const from = 'analysis' as const
  const valueSources: SourcedValue[] = []
  if (bpm !== null) {
    const alternatives = [...new Set((bpm_alternatives ?? []).map(rounded))]
    const change = tempo(bpm)
    valueSources.push({
      ...noDetails,
      field: 'bpm',
      from,
      where: versionLabel,
      value: rounded(bpm),
      confidence: bpm_confidence,
      alternatives,
      change,
    })
  }
  if (song_key !== null)
    valueSources.push({
      ...noDetails,
      ...{ field: 'song_key' as const, from, where: versionLabel, value: song_key, confidence: key_confidence },
      change: { song_key: song_key as NonNullable<corrections.ParsedChange['song_key']> },
    })
  return valueSources
}

const TEXTS = ['title', 'artist', 'album', 'label', 'remixer', 'isrc'] as const

function valuesFromTags(
  { version_label: versionLabel, tag }: SourcedVersion,
  names: ReadonlyMap<number, string>,
): SourcedValue[] {
  const from = 'tag' as const
  const valueSources: SourcedValue[] = []
  for (const field of TEXTS) {
    const value = tag[field]
    if (typeof value === 'string' && value !== '')
      valueSources.push({ ...noDetails, field, from, where: versionLabel, value, change: { [field]: value } })
  }
  const { year, bpm, song_key, genres } = tag
  if (typeof year === 'number')
    valueSources.push({ ...noDetails, field: 'year', from, where: versionLabel, value: String(year), change: { year } })
  if (typeof bpm === 'number')
    valueSources.push({
      ...noDetails,
      field: 'bpm',
      from,
      where: versionLabel,
      value: rounded(bpm),
      change: tempo(bpm),
    })
  if (typeof song_key === 'string' && song_key !== '')
    valueSources.push({
      ...noDetails,
      field: 'song_key',
      from,
      where: versionLabel,
      value: song_key,
      change: { song_key: song_key as never },
    })
  const genreTexts = Array.isArray(genres) ? genres.filter((name) => typeof name === 'string') : []
  if (genreTexts.length > 0) valueSources.push(genreValues(from, versionLabel, genreTexts, idsOf(genreTexts, names)))
  return valueSources
}

const idsOf = (genreTexts: readonly string[], names: ReadonlyMap<number, string>): number[] => {
  const wantedNames = new Set(genreTexts.map((name) => name.toLowerCase()))
  return [...names].filter(([, name]) => wantedNames.has(name.toLowerCase())).map(([id]) => id)
}

const genreValues = (
  from: staffSongs.Origin,
  versionLabel: string,
  genreTexts: readonly string[],
  genre_ids: number[],
): SourcedValue => ({
  ...noDetails,
  ...{ field: 'genres' as const, from, where: versionLabel, value: genreTexts.join(', '), genre_ids },
  // Moods are only set by staff.
  change: { genres: { how: 'replace', genre_ids } },
})

function valuesFromFileName({ uploaded_name: versionLabel }: SourcedVersion): SourcedValue[] {
  if (versionLabel === '') return []
  const { title, artist, bpm, bpm_to, song_key } = parseFileName(versionLabel)
  const from = 'name' as const
  const valueSources: SourcedValue[] = []
  // A name without an artist cannot be split into title and other parts reliably.
  if (title && artist) {
    valueSources.push({ ...noDetails, field: 'title', from, where: versionLabel, value: title, change: { title } })
    valueSources.push({ ...noDetails, field: 'artist', from, where: versionLabel, value: artist, change: { artist } })
  }
  if (bpm !== undefined) valueSources.push(tempoRangeValue(from, versionLabel, bpm, bpm_to ?? bpm))
  if (song_key)
    valueSources.push({
      ...noDetails,
      field: 'song_key',
      from,
      where: versionLabel,
      value: song_key,
      change: { song_key },
    })
  return valueSources
}

function tempoRangeValue(from: staffSongs.Origin, versionLabel: string, item: number, other: number): SourcedValue {
  const [min, max] = [Math.min(item, other), Math.max(item, other)]
  const value = min === max ? rounded(min) : `${rounded(min)}-${rounded(max)}`
  return { ...noDetails, field: 'bpm', from, where: versionLabel, value, change: tempo(min, max) }
}

/** Only the uploader's own values; those of their files are listed as tags. */
function valuesFromUploader(ownValues: UploadRow, names: ReadonlyMap<number, string>): SourcedValue[] {
  const from = 'uploader' as const
  const versionLabel = ownValues.dj_name
  const genres = ownValues.genres.flatMap((id) => names.get(id) ?? [])
  const all: SourcedValue[] = [
    {
      ...noDetails,
      field: 'title',
      from,
      where: versionLabel,
      value: ownValues.title,
      change: { title: ownValues.title },
    },
    {
      ...noDetails,
      field: 'artist',
      from,
      where: versionLabel,
      value: ownValues.artist,
      change: { artist: ownValues.artist },
    },
    {
      ...noDetails,
      field: 'year',
      from,
      where: versionLabel,
      value: String(ownValues.year),
      change: { year: ownValues.year },
    },
    {
      ...noDetails,
      field: 'song_key',
      from,
      where: versionLabel,
      value: ownValues.song_key,
      change: { song_key: ownValues.song_key as never },
    },
    tempoRangeValue(from, versionLabel, ownValues.min_bpm, ownValues.max_bpm),
    genreValues(from, versionLabel, genres, ownValues.genres),
  ]
  return all.filter(({ field }) => ownValues.sources[field] === 'uploader')
}

/**
 * Returns the change that applies one value from a source. Throws `invalid_request` if more than one value is given,
 * `conflict` if the source has another value now.
 */
export function findValueOrigins(
  valueSources: readonly SourcedValue[],
  change: corrections.ParsedChange,
  from: staffSongs.Origin,
): corrections.ParsedChange {
  const [field, ...others] = (Object.keys(change) as staffSongs.Field[]).filter((name) => change[name] !== undefined)
  if (field === undefined || others.length > 0)
    throw new ApiError('invalid_request', 'Apply one value per source at a time.')
  const matchingValue = valueSources.find(
    (each) => each.field === field && each.from === from && matchesChange(each, change),
  )
  if (!matchingValue)
    throw new ApiError(
      'conflict',
      'This source has changed since you opened the song. Reload to see the current values.',
    )
  return matchingValue.change
}

function matchesChange({ field, value, genre_ids }: SourcedValue, change: corrections.ParsedChange): boolean {
  if (field === 'genres')
    return genre_ids.length > 0 && [...(change.genres?.genre_ids ?? [])].sort().join() === [...genre_ids].sort().join()
  if (field === 'bpm') {
    const candidates = parseTempo(value)
    return candidates?.min_bpm === change.bpm?.min_bpm && candidates?.max_bpm === change.bpm?.max_bpm
  }
  return String(change[field] ?? '') === value
}
