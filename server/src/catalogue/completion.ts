import { camelotOrder, parseKey, type SongKey } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { NewSong, Source } from './additions.ts'
import type { Origins } from './value-sources.ts'

type StoredFields = Required<Pick<NewSong, 'album' | 'label' | 'isrc' | 'min_bpm' | 'max_bpm' | 'bpm_source'>> &
  Required<Pick<NewSong, 'song_key' | 'key_source' | 'year' | 'artwork_id' | 'origins'>>

/** Staff and uploaders are trusted more than tags, tags more than file names, and those more than the analysis. */
const SOURCE_TRUST: Record<Source, number> = { staff: 5, uploader: 4, tag: 3, name: 2, analysis: 1 }
const trustOf = (source: Source | null | undefined): number => (source ? SOURCE_TRUST[source] : 0)

const FILLABLE_FIELDS = ['album', 'label', 'isrc', 'year'] as const

/**
 * Completes a song with values of a new version: fills blank fields, unless staff cleared them, and replaces a tempo or
 * key from a less trusted source. Part of the caller's transaction, before `listSong`.
 */
export async function completeSong(sql: Sql, entityId: number, newValues: NewSong): Promise<void> {
  const [song] = await sql<StoredFields[]>`
    select album, label, isrc, min_bpm, max_bpm, bpm_source, song_key, key_source, year, artwork_id, origins
    from song where entity_id = ${entityId} for update`
  if (!song) throw new Error(`Song ${entityId} disappeared while a version was added`)
  const { min_bpm, max_bpm, bpm_source } = betterTempo(song, newValues)
  const usesNewKey = trustOf(newValues.key_source) > trustOf(song.key_source)
  const key = parseKey((usesNewKey ? newValues.song_key : song.song_key) ?? '')
  const blank = [...FILLABLE_FIELDS, 'artwork' as const].filter((field) => isBlank(song, field))
  const origins = Object.fromEntries(
    blank.flatMap((field) => (newValues.origins?.[field] ? [[field, newValues.origins[field]]] : [])),
  ) as Origins
  const fillField = <F extends 'album' | 'label' | 'isrc' | 'year'>(field: F) =>
    (blank.includes(field) ? newValues : song)[field]
  const artworkId = blank.includes('artwork') ? newValues.artwork_id : song.artwork_id
  await sql`
    update song set album = ${fillField('album') ?? ''}, label = ${fillField('label') ?? ''}, isrc = ${fillField('isrc') ?? ''},
      year = ${fillField('year') ?? null}, artwork_id = ${artworkId ?? null}, min_bpm = ${min_bpm}, max_bpm = ${max_bpm},
      bpm_source = ${bpm_source}, song_key = ${key ?? null}, key_position = ${key ? camelotOrder(key) : null},
      key_source = ${(usesNewKey ? newValues.key_source : song.key_source) ?? null}, origins = origins || ${sql.json(origins)},
      revision = revision + 1
    where entity_id = ${entityId}`
}

/** Whether the field is empty and was not cleared by staff. */
function isBlank(song: StoredFields, field: (typeof FILLABLE_FIELDS)[number] | 'artwork'): boolean {
  if (song.origins[field] === 'staff') return false
  return field === 'artwork' ? song.artwork_id === null : !song[field]
}

type TempoFields = Pick<StoredFields, 'min_bpm' | 'max_bpm' | 'bpm_source'>
const isSpan = ({ min_bpm, max_bpm }: Pick<NewSong, 'min_bpm' | 'max_bpm'>) => (max_bpm ?? 0) > (min_bpm ?? 0)

/** A transition widens the tempo range of its song, whichever of the two was added first. */
function betterTempo(song: StoredFields, newValues: NewSong): TempoFields {
  const fresh: TempoFields = {
    min_bpm: newValues.min_bpm ?? null,
    max_bpm: newValues.max_bpm ?? newValues.min_bpm ?? null,
    bpm_source: newValues.bpm_source ?? null,
  }
  const best = trustOf(fresh.bpm_source) > trustOf(song.bpm_source) ? fresh : song
  const spans = [song, fresh].filter(isSpan)
  const isManual = trustOf(song.bpm_source) > SOURCE_TRUST.tag
  if (spans.length === 0 || isManual || best.min_bpm === null) return best
  const ends = [best, ...spans].flatMap(({ min_bpm, max_bpm }) => [min_bpm ?? 0, max_bpm ?? 0])
  return { min_bpm: Math.min(...ends), max_bpm: Math.max(...ends), bpm_source: best.bpm_source }
}

export type AnalysedValues = { bpm: number | null; song_key: SongKey | null }

/**
 * Tempo and key of the version whose analysis is most confident; an acapella's tempo is used only if no other version
 * has one.
 */
export async function mostConfidentAnalysis(sql: Sql, entityId: number): Promise<AnalysedValues> {
  const [analysed] = await sql<{ bpm: number | null; song_key: string | null }[]>`
    select
      (select a.bpm from song_version v join analysis a using (file_id) where v.entity_id = ${entityId} and a.bpm is not null
        order by v.version_label like '%Acapella%', a.bpm_confidence desc, v.song_version_id limit 1) as bpm,
      (select a.song_key from song_version v join analysis a using (file_id)
        where v.entity_id = ${entityId} and a.song_key is not null
        order by a.key_confidence desc, v.song_version_id limit 1) as song_key`
  return { bpm: analysed?.bpm ?? null, song_key: parseKey(analysed?.song_key ?? '') ?? null }
}

/** Sets a song's tempo or key from the version with the most confident analysis, if they come only from an analysis. */
export async function applyMostConfidentAnalysis(sql: Sql, entityId: number): Promise<void> {
  const { bpm, song_key } = await mostConfidentAnalysis(sql, entityId)
  if (bpm !== null) {
    await sql`update song set min_bpm = ${bpm}, max_bpm = ${bpm}, bpm_source = 'analysis', revision = revision + 1
      where entity_id = ${entityId} and coalesce(bpm_source, 'analysis') = 'analysis'`
  }
  if (song_key !== null) {
    await sql`update song set song_key = ${song_key}, key_position = ${camelotOrder(song_key)}, key_source = 'analysis',
        revision = revision + 1
      where entity_id = ${entityId} and coalesce(key_source, 'analysis') = 'analysis'`
  }
}
