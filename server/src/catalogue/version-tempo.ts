import type { Source } from './additions.ts'

/** The rules for the tempo and key of versions, and for what their song shows. Pure functions (decision 48). */

/** What the analysis of a file measured. */
export type Measured = {
  bpm: number | null
  bpm_confidence: number
  /** The tempo is that of a beat grid that was corrected by ear. */
  is_corrected?: boolean
  song_key: string | null
  key_confidence: number
}

export type VersionTempo = {
  /** The lower one of a version that changes its tempo. */
  bpm: number | null
  /** The higher tempo of a version that changes it, otherwise null. */
  bpm_to: number | null
  bpm_source: Source | null
  /** Only of an analysis. */
  bpm_confidence: number | null
  song_key: string | null
  key_source: Source | null
  /** Only of an analysis; of the version whose key it is. */
  key_confidence: number | null
}

export type TempoVersion = VersionTempo & {
  song_version_id: number
  version_label: string
  status: 'draft' | 'published' | 'unpublished'
  duration_seconds: number
  /** Null without an analysis, such as for music generated on demand. */
  measured: Measured | null
}

export type SongTempo = {
  min_bpm: number | null
  max_bpm: number | null
  /**
   * The source of the versions if they agree. A range has 'staff' or 'uploader' only if they set it for the whole song:
   * it then stays, whatever its versions have.
   */
  bpm_source: Source | null
  song_key: string | null
  key_source: Source | null
}

/** Staff and uploaders are trusted more than tags, tags more than file names, and those more than the analysis. */
const SOURCE_TRUST: Record<Source, number> = { staff: 5, uploader: 4, tag: 3, name: 2, analysis: 1 }
const trustOf = (source: Source | null): number => (source ? SOURCE_TRUST[source] : 0)

/** An analysis that is less likely is not written into files, and a song shows it only if it has nothing better. */
export const MIN_CONFIDENCE = 0.5
/** A less likely key is replaced with the key of another version. */
const MIN_OWN_KEY_CONFIDENCE = 0.6
/** The measured probabilities are those of whole songs. */
const MIN_SECONDS = 20
const SHORT_CONFIDENCE = 0.4
/** Smaller differences are measuring errors. */
const SAME_BPM = 0.5
const OCTAVE_TOLERANCE = 0.01
/** Half of what changes the key by a semitone is 3 %. */
const SAME_TEMPO_TOLERANCE = 0.03

const followsAnalysis = (source: Source | null): boolean => source === null || source === 'analysis'
const isAcapella = (version: TempoVersion): boolean => /acapella/i.test(version.version_label)
const isTransition = (version: TempoVersion): boolean => /transition/i.test(version.version_label)
const roundBpm = (bpm: number): number => Math.round(bpm * 100) / 100

/** Whether an analysed tempo is too uncertain to rely on. */
const isUncertain = (source: Source | null, confidence: number | null): boolean =>
  source === 'analysis' && confidence !== null && confidence < MIN_CONFIDENCE

/**
 * Returns the versions of one song with their tempo and key: those from an analysis are taken from the measurements,
 * and compared with the other versions; all others stay as they are.
 */
export function resolveVersions<V extends TempoVersion>(versions: readonly V[]): V[] {
  const own = versions.map(withOwnMeasurements)
  const inOctave = inSameOctave(own)
  return inOctave.map((version) => withConfidentKey(version, inOctave))
}

function withOwnMeasurements<V extends TempoVersion>(version: V): V {
  const { measured, duration_seconds } = version
  const confidence = (value: number) => (duration_seconds < MIN_SECONDS ? Math.min(value, SHORT_CONFIDENCE) : value)
  const resolved = { ...version }
  if (!followsAnalysis(version.bpm_source)) resolved.bpm_confidence = null
  else if (measured)
    Object.assign(resolved, {
      ...{ bpm: measured.bpm, bpm_to: null, bpm_source: measured.bpm === null ? null : 'analysis' },
      bpm_confidence: measured.bpm === null ? null : measured.is_corrected ? 1 : confidence(measured.bpm_confidence),
    })
  if (!followsAnalysis(version.key_source)) resolved.key_confidence = null
  else if (measured)
    Object.assign(resolved, {
      ...{ song_key: measured.song_key, key_source: measured.song_key === null ? null : 'analysis' },
      key_confidence: measured.song_key === null ? null : confidence(measured.key_confidence),
    })
  return resolved
}

/** Returns whether both numbers differ by less than this part of them. */
const isClose = (a: number, b: number, tolerance: number): boolean => Math.abs(a / b - 1) <= tolerance

const byTempoConfidence = (a: TempoVersion, b: TempoVersion): number =>
  Number(a.status === 'unpublished') - Number(b.status === 'unpublished') ||
  trustOf(b.bpm_source) - trustOf(a.bpm_source) ||
  Number(isAcapella(a)) - Number(isAcapella(b)) ||
  (b.bpm_confidence ?? 0) - (a.bpm_confidence ?? 0) ||
  a.song_version_id - b.song_version_id

/**
 * Brings analysed tempos to the octave of the first version, the most confident one, that has about the same tempo or
 * its half or double. What people set for one version says nothing about the others, so only what comes from the files
 * themselves leads.
 */
function inSameOctave<V extends TempoVersion>(versions: readonly V[]): V[] {
  const resolved = new Map<V, V>()
  const leaders: V[] = []
  for (const version of versions.toSorted(byTempoConfidence)) {
    const { bpm, bpm_to, bpm_source } = version
    const isAnalysed = bpm !== null && bpm_to === null && bpm_source === 'analysis'
    const after = isAnalysed ? followFirst(version, bpm, leaders) : version
    resolved.set(version, after)
    if (bpm !== null && bpm_to === null && trustOf(bpm_source) <= SOURCE_TRUST.tag) leaders.push(after)
  }
  return versions.map((version) => resolved.get(version) ?? version)
}

const OCTAVES = [1, 2, 0.5]

function followFirst<V extends TempoVersion>(version: V, bpm: number, leaders: readonly V[]): V {
  const octaveOf = (leader: V) =>
    OCTAVES.find((factor) => isClose(bpm * factor, leader.bpm ?? 0, OCTAVE_TOLERANCE)) ?? 0
  const leader = leaders.find((one) => octaveOf(one) !== 0)
  if (!leader || octaveOf(leader) === 1) return version
  const { bpm_confidence, duration_seconds } = version
  const isShort = duration_seconds < MIN_SECONDS
  const confidence = isShort ? bpm_confidence : Math.max(bpm_confidence ?? 0, leader.bpm_confidence ?? 0)
  return { ...version, bpm: roundBpm(bpm * octaveOf(leader)), bpm_confidence: confidence }
}

/** What a key without a confidence is worth: a person or a tag says so. */
const keyConfidenceOf = ({ key_source, key_confidence }: TempoVersion): number =>
  key_confidence ?? (key_source === 'analysis' ? 0 : 1)

const byKeyConfidence = (a: TempoVersion, b: TempoVersion): number =>
  Number(a.status === 'unpublished') - Number(b.status === 'unpublished') ||
  keyConfidenceOf(b) - keyConfidenceOf(a) ||
  trustOf(b.key_source) - trustOf(a.key_source) ||
  a.song_version_id - b.song_version_id

function withConfidentKey<V extends TempoVersion>(version: V, versions: readonly V[]): V {
  if (!version.measured || !followsAnalysis(version.key_source)) return version
  const own = version.song_key === null ? 0 : keyConfidenceOf(version)
  if (own >= MIN_OWN_KEY_CONFIDENCE) return version
  const [other] = versions
    .filter((one) => one !== version && one.song_key !== null && keyConfidenceOf(one) > own)
    .filter((one) => haveSameTempo(version, one))
    .toSorted(byKeyConfidence)
  if (!other) return version
  return { ...version, song_key: other.song_key, key_source: 'analysis', key_confidence: keyConfidenceOf(other) }
}

/** Whether nothing says that two versions have different tempos. */
function haveSameTempo(a: TempoVersion, b: TempoVersion): boolean {
  if (a.bpm === null || b.bpm === null) return true
  if ([a, b].some(({ bpm_source, bpm_confidence }) => isUncertain(bpm_source, bpm_confidence))) return true
  const [fromA, toA] = rangeOf(a)
  const [fromB, toB] = rangeOf(b)
  return fromA <= toB * (1 + SAME_TEMPO_TOLERANCE) && fromB <= toA * (1 + SAME_TEMPO_TOLERANCE)
}

function rangeOf({ bpm, bpm_to }: TempoVersion): [number, number] {
  const [from, to] = [bpm ?? 0, bpm_to ?? bpm ?? 0]
  return [Math.min(from, to), Math.max(from, to)]
}

/** Returns what a song shows: the tempos of its versions as a range, and the key of the most confident one. */
export function deriveSong(versions: readonly TempoVersion[], current: SongTempo): SongTempo {
  const listed = versions.filter(({ status }) => status !== 'unpublished')
  return { ...deriveTempo(listed, current), ...deriveKey(listed, current) }
}

type SongBpm = Pick<SongTempo, 'min_bpm' | 'max_bpm' | 'bpm_source'>

/** Whether staff or the uploader set a range for the whole song. */
export const hasOwnRange = ({ min_bpm, max_bpm, bpm_source }: SongBpm): boolean =>
  (bpm_source === 'staff' || bpm_source === 'uploader') && min_bpm !== null && max_bpm !== null && min_bpm < max_bpm

function deriveTempo(versions: readonly TempoVersion[], current: SongTempo): SongBpm {
  const { min_bpm, max_bpm, bpm_source } = current
  if (hasOwnRange(current) || versions.every((one) => one.bpm === null && one.bpm_source === null))
    return { min_bpm, max_bpm, bpm_source }
  const known = versions.filter(({ bpm }) => bpm !== null).toSorted(byTempoConfidence)
  const certain = known.filter(({ bpm_source, bpm_confidence }) => !isUncertain(bpm_source, bpm_confidence))
  const used = certain.length > 0 ? certain : known.slice(0, 1)
  const [best] = used
  if (!best) return { min_bpm: null, max_bpm: null, bpm_source: commonSource(versions.map((one) => one.bpm_source)) }
  const ranges = used.map(rangeOf)
  const [min, max] = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))]
  if (max - min < SAME_BPM) return { min_bpm: best.bpm, max_bpm: best.bpm, bpm_source: best.bpm_source }
  const source = commonSource(used.map((one) => one.bpm_source))
  // Otherwise it would be taken for a range that they set for the whole song.
  return { min_bpm: min, max_bpm: max, bpm_source: trustOf(source) > SOURCE_TRUST.tag ? null : source }
}

const commonSource = (sources: readonly (Source | null)[]): Source | null =>
  sources.every((source) => source === sources[0]) ? (sources[0] ?? null) : null

function deriveKey(versions: readonly TempoVersion[], current: SongTempo): Pick<SongTempo, 'song_key' | 'key_source'> {
  const { song_key, key_source } = current
  if (versions.every((one) => one.song_key === null && one.key_source === null)) return { song_key, key_source }
  const [best] = versions
    .filter((one) => one.song_key !== null)
    .toSorted(
      (a, b) =>
        trustOf(b.key_source) - trustOf(a.key_source) ||
        keyConfidenceOf(b) - keyConfidenceOf(a) ||
        a.song_version_id - b.song_version_id,
    )
  if (best) return { song_key: best.song_key, key_source: best.key_source }
  return { song_key: null, key_source: commonSource(versions.map((one) => one.key_source)) }
}

/** The tempo and key that the tags of a version's file name. */
export type TaggedTempo = { tag_bpm: number | null; tag_key: string | null }

/**
 * Returns the versions after a tempo was set for the whole song. A range stays with the song: only versions that change
 * tempo, or have none, get it. A value from an analysis or from tags means each file's own, as far as it has one.
 */
export function withSongBpm<V extends TempoVersion & TaggedTempo>(
  versions: readonly V[],
  { min_bpm, max_bpm, bpm_source }: SongBpm,
): V[] {
  const isRange = min_bpm !== null && max_bpm !== null && min_bpm < max_bpm
  const bpm_to = isRange ? max_bpm : null
  const takesRange = (version: V) =>
    isTransition(version) || version.bpm_to !== null || version.bpm === null || versions.length === 1
  return versions.map((version) => {
    if (bpm_source === 'tag' && version.tag_bpm !== null)
      return { ...version, bpm: version.tag_bpm, bpm_to: null, bpm_source }
    if (followsAnalysis(bpm_source) && version.measured) return { ...version, bpm_source: 'analysis' }
    return isRange && !takesRange(version) ? version : { ...version, bpm: min_bpm, bpm_to, bpm_source }
  })
}

/** Returns the versions after a key was set for the whole song. */
export const withSongKey = <V extends TempoVersion & TaggedTempo>(
  versions: readonly V[],
  { song_key, key_source }: Pick<SongTempo, 'song_key' | 'key_source'>,
): V[] =>
  versions.map((version) => {
    if (key_source === 'tag' && version.tag_key !== null) return { ...version, song_key: version.tag_key, key_source }
    if (followsAnalysis(key_source) && version.measured) return { ...version, key_source: 'analysis' }
    return { ...version, song_key, key_source }
  })

/** The tempo that a version has without being changed by staff: of its tags, otherwise of its analysis. */
export const fileBpm = ({ tag_bpm }: TaggedTempo): Pick<VersionTempo, 'bpm' | 'bpm_to' | 'bpm_source'> =>
  tag_bpm === null ? { bpm: null, bpm_to: null, bpm_source: null } : { bpm: tag_bpm, bpm_to: null, bpm_source: 'tag' }

/** The key that a version has without being changed by staff. */
export const fileKey = ({ tag_key }: TaggedTempo): Pick<VersionTempo, 'song_key' | 'key_source'> =>
  tag_key === null ? { song_key: null, key_source: null } : { song_key: tag_key, key_source: 'tag' }
