import { type corrections, readTempo, type songsDesk } from '@dubplate/contract'
import { parseFileName } from '../imports/file-name.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'

/** What a source says of a value, and the change that takes it as it says it, unrounded. */
export type ToldValue = songsDesk.Told & { change: corrections.ParsedChange }

type Version = {
  version_label: string
  uploaded_name: string
  tag: Partial<Record<string, unknown>>
  bpm: number | null
  bpm_confidence: number | null
  bpm_alternatives: number[] | null
  song_key: string | null
  key_confidence: number | null
}

type Uploaded = {
  dj_name: string
  title: string
  artist: string
  year: number
  song_key: string
  min_bpm: number
  max_bpm: number
  genres: number[]
  sources: Record<string, songsDesk.Origin>
}

/** All that files, their names, the analysis and the uploader say of a song, whatever stands there now. */
export async function readTold(sql: Sql, entityId: number): Promise<ToldValue[]> {
  const [versions, uploaded, genres] = await Promise.all([
    sql<Version[]>`
      select v.version_label, v.uploaded_name, v.tag, a.bpm, a.bpm_confidence, a.bpm_alternatives, a.song_key, a.key_confidence
      from song_version v left join analysis a using (file_id)
      where v.entity_id = ${entityId} order by v.status = 'withdrawn', v.position, v.song_version_id`,
    sql<Uploaded[]>`
      select c.dj_name, u.title, u.artist, u.year, u.song_key, u.min_bpm, u.max_bpm, u.genres, u.sources
      from upload_song u join customer c using (customer_id) where u.entity_id = ${entityId} and u.deleted_at is null`,
    sql<{ genre_id: number; name: string }[]>`select genre_id, name from genre where kind = 'genre' order by genre_id`,
  ])
  const names = new Map(genres.map(({ genre_id, name }) => [genre_id, name]))
  const said = [
    ...versions.flatMap((version) => [...byAnalysis(version), ...byTags(version, names), ...byName(version)]),
    ...uploaded.flatMap((own) => byUploader(own, names)),
  ]
  return together(said)
}

/** What several files say alike is said once. */
function together(said: readonly ToldValue[]): ToldValue[] {
  const seen = new Map<string, ToldValue>()
  for (const each of said) {
    const key = [each.field, each.from, each.value].join('\n')
    const before = seen.get(key)
    if (!before) seen.set(key, each)
    else seen.set(key, { ...before, where: `${before.where}, ${each.where}`, confidence: surer(before, each) })
  }
  return [...seen.values()]
}

const surer = ({ confidence: one }: ToldValue, { confidence: other }: ToldValue): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

const plain = { confidence: null, alternatives: [], genre_ids: [] }

const rounded = (bpm: number): string => String(Math.round(bpm * 100) / 100)

const tempo = (min: number, max = min): corrections.ParsedChange => ({ bpm: { min_bpm: min, max_bpm: max } })

function byAnalysis(version: Version): ToldValue[] {
  const { version_label: where, bpm, bpm_confidence, bpm_alternatives, song_key, key_confidence } = version
  const from = 'analysis' as const
  const told: ToldValue[] = []
  if (bpm !== null) {
    const alternatives = [...new Set((bpm_alternatives ?? []).map(rounded))]
    const change = tempo(bpm)
    told.push({
      ...plain,
      field: 'bpm',
      from,
      where,
      value: rounded(bpm),
      confidence: bpm_confidence,
      alternatives,
      change,
    })
  }
  if (song_key !== null)
    told.push({
      ...plain,
      ...{ field: 'song_key' as const, from, where, value: song_key, confidence: key_confidence },
      change: { song_key: song_key as NonNullable<corrections.ParsedChange['song_key']> },
    })
  return told
}

const TEXTS = ['title', 'artist', 'album', 'label', 'remixer', 'isrc'] as const

function byTags({ version_label: where, tag }: Version, names: ReadonlyMap<number, string>): ToldValue[] {
  const from = 'tag' as const
  const told: ToldValue[] = []
  for (const field of TEXTS) {
    const value = tag[field]
    if (typeof value === 'string' && value !== '')
      told.push({ ...plain, field, from, where, value, change: { [field]: value } })
  }
  const { year, bpm, song_key, genres } = tag
  if (typeof year === 'number')
    told.push({ ...plain, field: 'year', from, where, value: String(year), change: { year } })
  if (typeof bpm === 'number')
    told.push({ ...plain, field: 'bpm', from, where, value: rounded(bpm), change: tempo(bpm) })
  if (typeof song_key === 'string' && song_key !== '')
    told.push({ ...plain, field: 'song_key', from, where, value: song_key, change: { song_key: song_key as never } })
  const named = Array.isArray(genres) ? genres.filter((name) => typeof name === 'string') : []
  if (named.length > 0) told.push(genresTold(from, where, named, idsOf(named, names)))
  return told
}

const idsOf = (named: readonly string[], names: ReadonlyMap<number, string>): number[] => {
  const wanted = new Set(named.map((name) => name.toLowerCase()))
  return [...names].filter(([, name]) => wanted.has(name.toLowerCase())).map(([id]) => id)
}

const genresTold = (
  from: songsDesk.Origin,
  where: string,
  named: readonly string[],
  genre_ids: number[],
): ToldValue => ({
  ...plain,
  ...{ field: 'genres' as const, from, where, value: named.join(', '), genre_ids },
  // Moods come from staff alone.
  change: { genres: { how: 'replace', genre_ids } },
})

function byName({ uploaded_name: where }: Version): ToldValue[] {
  if (where === '') return []
  const { title, artist, bpm, bpm_to, song_key } = parseFileName(where)
  const from = 'name' as const
  const told: ToldValue[] = []
  // A name without an artist is all title: where that ends nobody knows.
  if (title && artist) {
    told.push({ ...plain, field: 'title', from, where, value: title, change: { title } })
    told.push({ ...plain, field: 'artist', from, where, value: artist, change: { artist } })
  }
  if (bpm !== undefined) told.push(spanTold(from, where, bpm, bpm_to ?? bpm))
  if (song_key) told.push({ ...plain, field: 'song_key', from, where, value: song_key, change: { song_key } })
  return told
}

function spanTold(from: songsDesk.Origin, where: string, one: number, other: number): ToldValue {
  const [min, max] = [Math.min(one, other), Math.max(one, other)]
  const value = min === max ? rounded(min) : `${rounded(min)}-${rounded(max)}`
  return { ...plain, field: 'bpm', from, where, value, change: tempo(min, max) }
}

/** Only what the uploader wrote: what their files said stands among the tags. */
function byUploader(own: Uploaded, names: ReadonlyMap<number, string>): ToldValue[] {
  const from = 'uploader' as const
  const where = own.dj_name
  const genres = own.genres.flatMap((id) => names.get(id) ?? [])
  const all: ToldValue[] = [
    { ...plain, field: 'title', from, where, value: own.title, change: { title: own.title } },
    { ...plain, field: 'artist', from, where, value: own.artist, change: { artist: own.artist } },
    { ...plain, field: 'year', from, where, value: String(own.year), change: { year: own.year } },
    { ...plain, field: 'song_key', from, where, value: own.song_key, change: { song_key: own.song_key as never } },
    spanTold(from, where, own.min_bpm, own.max_bpm),
    genresTold(from, where, genres, own.genres),
  ]
  return all.filter(({ field }) => own.sources[field] === 'uploader')
}

/**
 * The change that takes one value from a source, as it says it now. Refuses `invalid_request` where more than one value is
 * taken, `conflict` where the source says something else.
 */
export function takenFrom(
  told: readonly ToldValue[],
  change: corrections.ParsedChange,
  from: songsDesk.Origin,
): corrections.ParsedChange {
  const [field, ...others] = (Object.keys(change) as songsDesk.Field[]).filter((name) => change[name] !== undefined)
  if (field === undefined || others.length > 0)
    throw new Refusal('invalid_request', 'Apply one value per source at a time.')
  const found = told.find((each) => each.field === field && each.from === from && isMeant(each, change))
  if (!found)
    throw new Refusal(
      'conflict',
      'This source has changed since you opened the song. Reload to see the current values.',
    )
  return found.change
}

function isMeant({ field, value, genre_ids }: ToldValue, change: corrections.ParsedChange): boolean {
  if (field === 'genres')
    return genre_ids.length > 0 && [...(change.genres?.genre_ids ?? [])].sort().join() === [...genre_ids].sort().join()
  if (field === 'bpm') {
    const said = readTempo(value)
    return said?.min_bpm === change.bpm?.min_bpm && said?.max_bpm === change.bpm?.max_bpm
  }
  return String(change[field] ?? '') === value
}
